public import GatebookAuthentication
internal import GatebookEvents

/// The transport over libcurl: HTTP/1.1, and HTTP/2 over TLS.
///
/// - libcurl 7.85 or newer (Debian package `libcurl4`) is opened by the first request.
/// - One thread drives all requests; it starts with the first one, ends when nothing was asked for
///   a minute, and at the latest with the transport.
/// - Requests of different routes never share a connection, a TLS session or a proxy login.
/// - Redirects are answers; no cookie, password or setting is read from outside, except the proxy
///   when `.environment` is given.
/// - TLS 1.2 or newer. Certificate, host name and key are judged by the route's trust within the
///   handshake, before a byte of the request or a client certificate leaves.
/// - Through a proxy that is itself spoken to over TLS, and with a libcurl that does not use the
///   machine's OpenSSL, libcurl alone verifies: exceptions are then `configuration.invalid`, and a
///   refusal does not say what the server showed.
///
/// Cancelling the caller's task ends the request with `cancelled`.
public final class CurlTransport: Transport {
  private let queue = AskQueue()
  private let settings: CurlSettings

  /// Makes a transport; opens nothing yet.
  ///
  /// - Parameters:
  ///   - userAgent: The `User-Agent` of requests that bring none; `nil` sends none.
  ///   - proxy: Which proxy requests take.
  public convenience init(userAgent: String? = "gatebook/1.0", proxy: Proxy = .none) {
    self.init(CurlSettings(userAgent: userAgent, proxy: proxy))
  }

  /// Makes a transport for many requests at once.
  ///
  /// - Parameters:
  ///   - userAgent: The `User-Agent` of requests that bring none.
  ///   - proxy: Which proxy requests take.
  ///   - connections: How many idle connections each route keeps; more after more requests at once.
  package convenience init(userAgent: String?, proxy: Proxy, connections: Int) {
    var settings = CurlSettings(userAgent: userAgent, proxy: proxy)
    settings.connections = connections
    self.init(settings)
  }

  init(_ settings: CurlSettings) {
    self.settings = settings
  }

  deinit {
    queue.stop()
  }

  /// Yes.
  public var isStreaming: Bool { true }

  /// Sends a request once.
  ///
  /// A request that is not repeatable takes a fresh connection: on a reused one that the server
  /// closes before the first byte of an answer, libcurl would automatically send it again.
  ///
  /// - Parameters:
  ///   - request: What to send; `Host`, `Content-Length` and other fields of the message's framing
  ///     are refused, and so are line breaks in any field.
  ///   - route: Whose connections may be used, and which servers are trusted.
  /// - Returns: The complete answer, decompressed.
  /// - Throws: `network.unreachable`, `tls.untrusted`, `tls.keyChanged`, `limit.exceeded`,
  ///   `content.unexpected` or `cancelled`. `login.cleartext`, only with `.environment`.
  ///   `configuration.invalid` if libcurl is missing, the request is malformed, or a file of the
  ///   trust is unusable. Each failure says whether the server may have seen the request. When TLS
  ///   itself failed, `serverCode` is the name of the server's alert (RFC 8446 section 6).
  public func send(
    _ request: HTTPRequest, through route: Route
  ) async throws(TransportFailure) -> HTTPReply {
    try settings.proxy.checkCleartext(to: request.url.origin, route)
    let ask = Ask(try request.prepared(userAgent: settings.userAgent), route)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        submit(ask, continuation)
      }
    } onCancel: {
      ask.withdraw()
      queue.withdraw(ask)
    }
    return try result.get()
  }

  private func submit(_ ask: Ask, _ continuation: Ask.Continuation) {
    guard ask.wait(with: continuation) else { return }
    guard queue.submit(ask) else { return }
    do throws(GatebookError) {
      try TransferLoop.start(queue, settings)
    } catch {
      queue.leave { _ in TransportFailure(error, delivery: .notSent) }
    }
  }
}

/// What holds for all requests of one transport.
struct CurlSettings: Sendable {
  /// The `User-Agent` of requests that bring none.
  var userAgent: String?
  /// Which proxy requests take.
  var proxy: CurlTransport.Proxy
  /// The file name by which the dynamic linker finds libcurl.
  var library = "libcurl.so.4"
  /// How many routes keep idle connections.
  var pools = 64
  /// How many of them each keeps; more after more requests at once.
  var connections = 8
  /// How long the thread and its idle connections stay without a request.
  var quiet = Duration.seconds(60)
}
