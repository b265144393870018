extension Conversation {
  /// Tells a key that was named wrongly from one that has changed: what no account trusts, and
  /// nobody accepted on the way, was never right.
  ///
  /// - Parameters:
  ///   - failure: A refusal of a server's key.
  ///   - server: The server.
  /// - Returns: The failure, and which of both it is.
  func distinguished(
    _ failure: TransportFailure, of server: Origin
  ) async -> TransportFailure {
    let named = route.trust.keys.subtracting(accepted.map(\.key))
    guard failure.error.code == .tlsKeyChanged, !named.isEmpty,
      await host.trustsNone(of: named)
    else { return failure }
    var failure = failure
    failure.error = GatebookError(
      .tlsKeyChanged, .keyNamed, of: "\(server)", kept: failure.error.kept,
      remedy:
        "Compare the server's key with the one that its administrator names, then log in with that one. "
        + "The cause may be a typing error, or an attacker on the network.",
      cause: failure.error.cause)
    return failure
  }
}
