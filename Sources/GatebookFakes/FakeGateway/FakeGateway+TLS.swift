public import Gatebook

extension FakeGateway {
  /// Speaks TLS in another way, or plainly, on every connection that comes from now on.
  ///
  /// - Parameter tls: How; `nil` for plain HTTP.
  /// - Throws: `configuration.invalid` when libssl cannot be opened.
  public func present(_ tls: LoopbackTLS?) throws(GatebookError) {
    try server.present(tls)
  }

  /// The handshakes so far, failed ones included, in the order of their ends.
  ///
  /// One that the client gave up appears a moment after that; ``stop()`` waits for all.
  public var handshakes: [LoopbackHandshake] { server.handshakes }
}
