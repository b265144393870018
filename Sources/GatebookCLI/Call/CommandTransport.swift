internal import Gatebook
internal import GatebookCurl
internal import GatebookProxy

/// The transport of a command: it keeps the time that the user gives a request, and prints what is
/// sent where that is asked for.
///
/// When a server is not trusted, or a proxy is in the way, it says what to write on the command
/// line.
struct CommandTransport: Transport {
  /// What sends.
  let transport: any Transport
  /// Which proxy it takes.
  var proxy = CurlTransport.Proxy.none
  /// Whether it is for a login that names no account.
  var isLogin = false
  /// How long one request may take, its connection included; `nil` leaves each its own limits.
  var limit: Duration?
  /// Hears of each request; `nil` for nobody.
  var trace: RequestTrace?

  var isStreaming: Bool { transport.isStreaming }

  func send(
    _ request: HTTPRequest, through route: Route
  ) async throws(TransportFailure) -> HTTPReply {
    await trace?.sent(request)
    var limited = request
    if let limit { (limited.limits.total, limited.limits.connect) = (limit, limit) }
    do throws(TransportFailure) {
      let reply = try await transport.send(limited, through: route)
      await trace?.got(reply)
      return reply
    } catch {
      throw advised(
        TrustAdvice.added(to: error, trusting: route.trust, isLogin: isLogin),
        proxy.place(for: request.url.origin))
    }
  }

  private func advised(_ failure: TransportFailure, _ proxy: String?) -> TransportFailure {
    guard let proxy, failure.error.code == .networkUnreachable else { return failure }
    var failure = failure
    failure.error.remedy =
      failure.proxy == nil
      ? "\(failure.error.remedy) The environment sets a proxy: `--no-proxy` connects without it."
      : "Add the name and the password to the variable that sets \(proxy), as in "
        + "http://NAME:PASSWORD@HOST:PORT. `--no-proxy` connects without the proxy."
    return failure
  }
}

extension CommandTransport {
  /// The transport over libcurl, with the proxy that the command line says.
  @MainActor static func curl(_ call: Call, isLogin: Bool = false) -> CommandTransport {
    let proxy = call.globals.proxy
    return CommandTransport(
      // As many as a busy proxy uses at once.
      transport: CurlTransport(
        userAgent: Call.userAgent, proxy: proxy, connections: ProxyLimits().requests),
      proxy: proxy,
      isLogin: isLogin)
  }
}
