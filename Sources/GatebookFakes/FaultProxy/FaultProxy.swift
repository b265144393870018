public import Gatebook
internal import GatebookSystem

/// Forwards requests between a client and a server on 127.0.0.1, with the faults that a test wants.
///
/// It passes plain HTTP/1.1 on, byte for byte except for the fields of one connection. `Host` stays
/// what the client sent, and each request takes a connection of its own to both sides. So the
/// server sees the proxy's authority. Where the server gives its own URL, such as its issuer, it
/// must give the proxy's: set it, as in the example below. Upgraded connections are not passed on.
///
/// ```swift
/// let server = try FakeIdentityServer()
/// let proxy = try FaultProxy(to: server.port)
/// server.issuer = proxy.url
/// try server.start()
/// try proxy.start()
/// // The server acts on the next refresh, and nobody hears of it.
/// proxy.inject(.resetAfterActing) { $0.text.contains("grant_type=refresh_token") }
/// ```
///
/// A stopped proxy refuses connections, and starts again at the same port. Losing the last
/// reference stops it.
///
/// Its life, its log and its faults are those of every ``FakeServer``; a route is a path.
public final class FaultProxy: FakeServer {
  /// The HTTP server that it runs on.
  public let server: LoopbackServer

  /// Makes a proxy that is down and reserves its port.
  ///
  /// - Parameters:
  ///   - target: The server's port on 127.0.0.1; nobody needs to be there yet.
  ///   - clock: Fills `Date` of the proxy's own answers; the machine's own clock unless given.
  /// - Throws: `configuration.invalid` when no port can be had.
  public init(to target: UInt16, clock: (any BookClock)? = nil) throws(GatebookError) {
    server = try LoopbackServer(
      port: 0,
      work: ServerWork(
        state: Locked(ServerState()), clock: clock ?? SystemClock(),
        wait: { duration in
          // Blocks: each connection has a thread of its own.
          let milliseconds = duration / .milliseconds(1)
          _ = FileDescriptor.awaitReadable([], atMost: Int32(milliseconds.rounded(.up)))
        },
        finish: { reply in
          if case .complete = reply.delivery { reply.closing() } else { reply }
        },
        handler: { Self.pass($0, to: target) }))
  }

  /// Passes a request on as it came, `Host` included.
  ///
  /// The end of the answer is that of the connection, however the server frames it.
  private static func pass(_ request: LoopbackRequest, to port: UInt16) -> LoopbackReply {
    var head = "\(request.method) \(request.target) HTTP/1.1\r\n"
    for field in request.fields.all where !hopByHop.contains(field.name.lowercased()) {
      head += "\(field.name): \(field.value)\r\n"
    }
    let sent = Array("\(head)Connection: close\r\n\r\n".utf8) + request.body
    let answer = LoopbackSocket.answer(to: sent, from: port) ?? []
    return answer.isEmpty ? .dropped : .raw(answer)
  }

  /// Fields of one connection alone (RFC 9110 section 7.6.1); the whole body is there already, so
  /// nobody is to be asked whether to send it.
  private static let hopByHop = ["connection", "expect", "keep-alive", "proxy-connection"]
}
