public import Gatebook
internal import GatebookSystem
internal import Glibc

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
/// ## Topics
/// ### Life
/// - ``start()``
/// - ``stop()``
/// - ``url``
/// - ``port``
/// ### What it received
/// - ``requests``
/// - ``requests(atLeast:)``
/// - ``forgetRequests()``
/// - ``connectionCount``
/// ### TLS
/// - ``present(_:)``
/// - ``handshakes``
/// ### Held connections
/// - ``heldConnections``
/// - ``heldConnections(atLeast:)``
/// - ``dropHeldConnections()``
/// ### What goes wrong
/// - ``inject(_:on:times:)``
/// - ``clearFaults()``
public final class LoopbackServer: Sendable {
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
  ///   - limits: How much of a request is read.
  ///   - wait: What a delayed answer does; nothing unless given, so that no test sleeps. A test may
  ///     advance its fixed clock here.
  ///   - handler: Answers the requests. It must not hold the server itself.
  /// - Throws: `configuration.invalid` when the port is taken or libssl cannot be opened.
  public convenience init(
    port: UInt16 = 0, tls: LoopbackTLS? = nil, clock: (any BookClock)? = nil,
    limits: LoopbackLimits = LoopbackLimits(),
    wait: @escaping @Sendable (Duration) -> Void = { _ in }, handler: @escaping Handler
  ) throws(GatebookError) {
    var state = ServerState()
    state.tls = try Self.context(tls)
    try self.init(
      port: port,
      work: ServerWork(
        state: Guarded(state), clock: clock ?? SystemClock(), limits: limits, wait: wait,
        handler: handler))
  }

  init(port: UInt16, work: ServerWork) throws(GatebookError) {
    guard let reservation = LoopbackSocket(boundTo: port) else { throw Self.portRefused(port) }
    self.reservation = reservation
    self.port = reservation.port
    self.work = work
  }

  deinit {
    stop()
    reservation.close()
  }

  /// Where the server is: `http://127.0.0.1:port`, or `https:` with TLS, without a slash at the
  /// end.
  public var url: String {
    let isSecure = work.state.withLock { $0.tls != nil }
    return "\(isSecure ? "https" : "http")://127.0.0.1:\(port)"
  }

  /// Begins to listen; nothing happens when it already does.
  ///
  /// - Throws: `configuration.invalid` when the port cannot be had, `limit.exceeded` without a
  ///   thread left.
  public func start() throws(GatebookError) {
    let work = work
    let port = port
    try work.state.withLock { state throws(GatebookError) in
      guard state.phase == .down else { return }
      guard let listener = LoopbackSocket(boundTo: port) else { throw Self.portRefused(port) }
      guard listener.listen() else {
        let failure = Self.portRefused(port)
        listener.close()
        throw failure
      }
      let acceptor = Acceptor(listener: listener, work: work)
      do throws(GatebookError) {
        state.acceptor = try PosixThread { acceptor.run() }
      } catch {
        listener.close()
        throw error
      }
      state.listener = listener
      state.phase = .up
    }
  }

  /// Closes the listener and all connections at once and waits until their threads, handlers
  /// included, are done.
  ///
  /// From then on connections are refused. Never call it from a handler: it would wait for itself.
  public func stop() {
    defer { work.stopped() }
    let requests = self.requests
    let (listener, acceptor, watchers) = work.state.withLock { $0.beginStop() }
    for watcher in watchers { watcher.continuation.resume(returning: requests) }
    if listener != nil {
      let watchers = work.state.withLock { $0.takeHeldWatchers() }
      for watcher in watchers { watcher.continuation.resume(returning: 0) }
    }
    guard let listener, let acceptor else {
      return work.state.withLock(once: { $0.phase == .down }, { _ in })
    }
    acceptor.join()
    listener.close()
    work.state.withLock(once: { $0.connections.isEmpty }, { $0.phase = .down })
  }

  private static func portRefused(_ port: UInt16) -> GatebookError {
    let reason = errno
    return GatebookError(
      .configurationInvalid, "The loopback server cannot listen on port \(port).",
      remedy: "Choose another port, or 0 for any free one.", cause: "errno \(reason)")
  }
}
