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
  ///   - wait: What a delayed answer does; nothing unless given, so that no test sleeps. A test may
  ///     advance its fixed clock here.
  ///   - handler: Answers the requests. It must not hold the server itself.
  /// - Throws: `configuration.invalid` when the port is taken or libssl cannot be opened.
  public convenience init(
    port: UInt16 = 0, tls: LoopbackTLS? = nil, clock: (any BookClock)? = nil,
    wait: @escaping @Sendable (Duration) -> Void = { _ in }, handler: @escaping Handler
  ) throws(GatebookError) {
    var state = ServerState()
    state.tls = try Self.context(tls)
    try self.init(
      port: port,
      work: ServerWork(
        state: Guarded(state), clock: clock ?? SystemClock(), wait: wait,
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
      guard Sockets.listen(listener.descriptor) else {
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
    guard case (let listener?, let acceptor?) = work.state.withLock({ $0.beginStop() }) else {
      return work.state.withLock(once: { $0.phase == .down }, { _ in })
    }
    acceptor.join()
    listener.close()
    work.state.withLock(once: { $0.connections.isEmpty }, { $0.phase = .down })
  }

  private static func portRefused(_ port: UInt16) -> GatebookError {
    GatebookError(
      .configurationInvalid, "The loopback server cannot listen on port \(port).",
      remedy: "Choose another port, or 0 for any free one.",
      cause: "errno \(SystemError.last.number)")
  }

  /// What was received so far, in order, over restarts; refused and half-read requests are not in
  /// it.
  public var requests: [LoopbackRequest] {
    work.state.withLock { $0.requests }
  }

  /// Empties the log; the numbers of requests do not start over.
  public func forgetRequests() {
    work.state.withLock { $0.requests = [] }
  }

  /// Waits until the log holds so many requests, answered or not.
  ///
  /// - Parameter count: How many.
  /// - Returns: The log at that moment; fewer requests when the server was stopped meanwhile.
  public func requests(atLeast count: Int) async -> [LoopbackRequest] {
    await withCheckedContinuation { continuation in
      work.state.withLock { state in
        state.watchers.append(ServerState.Watcher(count: count, continuation: continuation))
        state.serveWatchers()
      }
    }
  }

  /// Lets something go wrong with coming requests, after the faults that are still to come.
  ///
  /// A request meets only the first fault that fits its path and has not run out, so faults put on
  /// the same path happen one after the other.
  ///
  /// - Parameters:
  ///   - fault: What goes wrong.
  ///   - path: The path, without a query; one that ends in `/*` stands for all below it, `nil` for
  ///     all there are.
  ///   - times: How often; `nil` for always.
  public func inject(_ fault: LoopbackFault, on path: String? = nil, times: Int? = 1) {
    work.state.withLock { state in
      state.faults.append(fault, times: times) { LoopbackFault.fits(path, $0.path) }
    }
  }

  /// Takes all faults back.
  public func clearFaults() {
    work.state.withLock { $0.faults = FaultSchedule() }
  }

  /// Makes a server that gives these answers in order, whatever is asked; then 500.
  ///
  /// - Parameter replies: The answers.
  /// - Throws: `configuration.invalid` when no port is free.
  public convenience init(replies: [LoopbackReply]) throws(GatebookError) {
    let rest = Guarded(replies[...])
    try self.init { _ in
      rest.withLock { $0.popFirst() } ?? .text("The script has no more answers.\n", status: 500)
    }
  }

  /// Speaks TLS in another way, or plainly, on every connection that comes from now on.
  ///
  /// The port stays the same, so a client sees another key at a place that it knows.
  ///
  /// - Parameter tls: How; `nil` for plain HTTP.
  /// - Throws: `configuration.invalid` when libssl cannot be opened.
  public func present(_ tls: LoopbackTLS?) throws(GatebookError) {
    let context = try Self.context(tls)
    work.state.withLock { $0.tls = context }
  }

  /// The handshakes so far, failed ones included, in the order of their ends.
  ///
  /// One that the client gave up appears a moment after that; ``stop()`` waits for all.
  public var handshakes: [LoopbackHandshake] {
    work.state.withLock { $0.handshakes }
  }

  /// How many connections were taken so far, whatever became of them.
  public var connectionCount: Int {
    work.state.withLock { $0.connectionCount }
  }

  /// Makes TLS ready; nothing for plain HTTP.
  static func context(_ tls: LoopbackTLS?) throws(GatebookError) -> TLSContext? {
    guard let tls else { return nil }
    return try TLSContext(tls)
  }
}
