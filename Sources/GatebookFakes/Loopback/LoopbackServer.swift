public import Gatebook
internal import GatebookSystem

/// A real HTTP/1.1 server on 127.0.0.1 that answers with a closure, for tests; with TLS if wanted.
///
/// Every connection has a thread, so a handler may block. The port is reserved as long as the
/// server object lives: while it is down, connections are refused and nobody else can take the
/// port. Losing the last reference stops the server.
///
/// ```swift
/// let server = try LoopbackServer { request in .text("You asked for \(request.path).") }
/// try server.start()
/// defer { server.stop() }
/// ```
///
/// Its life, its log and its faults are those of every ``FakeServer``; a route is its path.
public final class LoopbackServer: FakeServer {
  /// Answers one request; called on the connection's thread, by several at once.
  public typealias Handler = @Sendable (LoopbackRequest) -> LoopbackReply

  /// The port, known before the first `start`.
  public let port: UInt16

  private let reservation: LoopbackSocket
  let work: ServerWork

  /// Makes a server that is down and reserves its port.
  ///
  /// - Parameters:
  ///   - port: The port on 127.0.0.1; 0 for any free one.
  ///   - tls: How it speaks TLS; plain HTTP unless given. OpenSSL's libssl is opened only then.
  ///   - clock: Stamps requests and fills `Date`; the machine's own clock unless given.
  ///   - wait: What a delayed answer does; nothing unless given, so that no test sleeps. A test may
  ///     advance its fixed clock here.
  ///   - handler: Answers the requests. It must not hold the server itself.
  /// - Throws: `configuration.invalid` when the port is taken or libssl cannot be opened.
  public convenience init(
    port: UInt16 = 0, tls: LoopbackTLS? = nil, clock: (any BookClock)? = nil,
    wait: @escaping @Sendable (Duration) -> Void = { _ in }, handler: @escaping Handler
  ) throws(GatebookError) {
    let state = ServerState(tls: try Self.context(tls))
    try self.init(
      port: port,
      work: ServerWork(
        state: Locked(state), clock: clock ?? SystemClock(), wait: wait,
        handler: handler))
  }

  init(port: UInt16, work: ServerWork) throws(GatebookError) {
    guard let reservation = LoopbackSocket(boundTo: port) else { throw .portRefused(port) }
    self.reservation = reservation
    self.port = reservation.port
    self.work = work
  }

  deinit {
    work.stop()
    reservation.close()
  }

  /// The server itself.
  public var server: LoopbackServer { self }

  /// Makes a server that gives these answers in order, whatever is asked; then 500.
  ///
  /// - Parameter replies: The answers.
  /// - Throws: `configuration.invalid` when no port is free.
  public convenience init(replies: [LoopbackReply]) throws(GatebookError) {
    let rest = Locked(replies[...])
    try self.init { _ in
      rest.withLock { $0.popFirst() } ?? .text("The script has no more answers.\n", status: 500)
    }
  }

  /// Makes TLS ready; nothing for plain HTTP.
  static func context(_ tls: LoopbackTLS?) throws(GatebookError) -> TLSContext? {
    guard let tls else { return nil }
    return try TLSContext(tls)
  }
}
