public import Gatebook
internal import GatebookSystem

extension LoopbackServer {
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
