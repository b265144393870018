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
/// proxy.inject(.reset) { $0.text.contains("grant_type=refresh_token") }
/// ```
///
/// A stopped proxy refuses connections, and starts again at the same port. Losing the last
/// reference stops it.
///
/// ## Topics
/// ### Life
/// - ``init(to:clock:)``
/// - ``start()``
/// - ``stop()``
/// - ``url``
/// - ``port``
/// ### What goes wrong
/// - ``inject(_:after:times:where:)``
/// - ``clearFaults()``
/// - ``release()``
/// ### What passed
/// - ``requests``
/// - ``requests(atLeast:)``
/// - ``faulted``
public final class FaultProxy: Sendable {
  private let server: LoopbackServer
  private let state: Guarded<ProxyState>

  /// Makes a proxy that is down and reserves its port.
  ///
  /// - Parameters:
  ///   - target: The server's port on 127.0.0.1; nobody needs to be there yet.
  ///   - clock: Fills `Date` of the proxy's own answers; the machine's own clock unless given.
  /// - Throws: `configuration.invalid` when no port can be had.
  public init(to target: UInt16, clock: (any BookClock)? = nil) throws(GatebookError) {
    let state = Guarded(ProxyState())
    let line = ProxyLine(port: target)
    self.state = state
    // Blocks: each connection has a thread of its own.
    let wait = { @Sendable (duration: Duration) in
      let milliseconds = duration / .milliseconds(1)
      _ = FileDescriptor.awaitReadable([], atMost: Int32(milliseconds.rounded(.up)))
    }
    server = try LoopbackServer(clock: clock, wait: wait) { request in
      Self.answer(request, line, state)
    }
  }

  deinit {
    // A thread that holds an answer would keep the server from stopping.
    state.withLock { $0.isHolding = false }
  }

  /// Where clients go: `http://127.0.0.1:port`, without a slash at the end.
  public var url: String { server.url }

  /// The port, known before the first `start`.
  public var port: UInt16 { server.port }

  /// Begins to pass requests on; nothing happens when it already does.
  ///
  /// - Throws: `configuration.invalid` when the port cannot be had, `limit.exceeded` without a
  ///   thread left.
  public func start() throws(GatebookError) {
    try server.start()
  }

  /// Refuses connections from now on; answers that are held are let go, and faults stay.
  public func stop() {
    release()
    server.stop()
  }

  /// Lets something go wrong with coming requests.
  ///
  /// A request meets the first fault that fits it; each fault counts only what fits it.
  ///
  /// - Parameters:
  ///   - fault: What goes wrong.
  ///   - skipped: How many requests that fit are let through first: 2 hits the third.
  ///   - times: How many are hit then, one after the other; `nil` for all.
  ///   - fits: Which requests; all unless given. Called on the connection's thread.
  public func inject(
    _ fault: ProxyFault, after skipped: Int = 0, times: Int? = 1,
    where fits: @escaping @Sendable (LoopbackRequest) -> Bool = { _ in true }
  ) {
    state.withLock { state in
      if case .held = fault { state.isHolding = true }
      state.faults.append(fault, after: skipped, times: times, where: fits)
    }
  }

  /// Takes all faults back; answers that are held stay held.
  public func clearFaults() {
    state.withLock { $0.faults = FaultSchedule() }
  }

  /// Lets all answers go that are held, and those that still would be until ``ProxyFault/held`` is
  /// injected again.
  public func release() {
    state.withLock { $0.isHolding = false }
  }

  /// What clients sent so far, in order, over restarts, whatever became of it.
  public var requests: [LoopbackRequest] { server.requests }

  /// Waits until clients sent so many requests.
  ///
  /// - Parameter count: How many.
  /// - Returns: All so far; fewer when the proxy was stopped meanwhile.
  public func requests(atLeast count: Int) async -> [LoopbackRequest] {
    await server.requests(atLeast: count)
  }

  /// The requests that met a fault, in order.
  public var faulted: [LoopbackRequest] { state.withLock { $0.faulted } }

  private static func answer(
    _ request: LoopbackRequest, _ line: ProxyLine, _ state: Guarded<ProxyState>
  ) -> LoopbackReply {
    let fault = state.withLock { state in
      let fault = state.faults.take(for: request)
      if fault != nil { state.faulted.append(request) }
      return fault
    }
    switch fault {
    case .closed: return .dropped
    case .answered(let reply): return reply.closing()
    case .twice: _ = line.pass(request)
    case .reset, .truncated, .delayed, .held, nil: break
    }
    guard let answer = line.pass(request) else { return .dropped }
    switch fault {
    case .reset: return .reset
    case .truncated: return .raw(ProxyLine.half(of: answer))
    case .delayed(let duration):
      return .raw(answer).delayed(by: duration)
    case .held:
      state.withLock(once: { !$0.isHolding }, { _ in })
      return .raw(answer)
    case .closed, .answered, .twice, nil: return .raw(answer)
    }
  }
}

/// What changes while a fault proxy runs; always protected by its lock.
struct ProxyState: Sendable {
  var faults = FaultSchedule<ProxyFault>()
  /// The requests that met a fault.
  var faulted: [LoopbackRequest] = []
  /// Whether answers that are held wait on.
  var isHolding = false
}

/// The way from a fault proxy to its server: one connection for each request.
struct ProxyLine: Sendable {
  let port: UInt16

  /// Passes a request on as it came, `Host` included.
  ///
  /// - Parameter request: What the client sent.
  /// - Returns: The answer's bytes up to the end of the connection; `nil` when nobody is there, or
  ///   nothing came.
  func pass(_ request: LoopbackRequest) -> [UInt8]? {
    let answer = LoopbackSocket.answer(to: Self.bytes(of: request), from: port)
    return answer?.isEmpty == false ? answer : nil
  }

  /// The request with a connection of its own, so that the end of the answer is that of the
  /// connection, however the server frames it.
  private static func bytes(of request: LoopbackRequest) -> [UInt8] {
    var head = "\(request.method) \(request.target) HTTP/1.1\r\n"
    for field in request.fields.all where !hopByHop.contains(field.name.lowercased()) {
      head += "\(field.name): \(field.value)\r\n"
    }
    return Array("\(head)Connection: close\r\n\r\n".utf8) + request.body
  }

  /// Fields of one connection alone (RFC 9110 section 7.6.1); the whole body is there already, so
  /// nobody is to be asked whether to send it.
  private static let hopByHop = ["connection", "expect", "keep-alive", "proxy-connection"]

  /// The first half of an answer: its body's, or its header's where it has none.
  static func half(of answer: [UInt8]) -> ArraySlice<UInt8> {
    let ends = answer.indices.dropLast(3).first { answer[$0...].prefix(4) == [13, 10, 13, 10] }
    guard let end = ends.map({ $0 + 4 }), end < answer.count else {
      return answer.prefix(answer.count / 2)
    }
    return answer.prefix(end + (answer.count - end) / 2)
  }
}
