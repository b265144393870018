/// Certificates that the transport refused, put to a resolver.
extension Conversation {
  /// Asks about a certificate that was refused; returns when the request may be sent again.
  mutating func consider(
    _ failure: TransportFailure, _ server: Origin
  ) async throws(TransportFailure) {
    guard let certificate = failure.certificate else { throw failure }
    let exception = TrustException(accepting: certificate)
    // A key that has changed is nothing to nod through: the former decision is revoked first.
    guard failure.error.code == .tlsUntrusted, failure.delivery == .notSent else {
      let failure = await distinguished(failure, of: server)
      try await decided(exception, by: "policy", "refused", for: failure.error)
      throw failure
    }
    let asked = AskedChallenge(scheme: "server-trust")
    let challenge = challenge(.serverTrust(certificate), server, 0)
    guard let decision = try await decide(challenge, asked, realm: nil) else {
      try await decided(exception, by: "policy", "refused")
      throw failure
    }
    switch decision {
    case .acceptCertificate:
      do throws(TransportFailure) {
        try await accept(exception)
      } catch {
        try await close(asked, .unfit)
        throw error
      }
      try await answered(asked)
      if !asker.keepsDecisions { accepted.append(exception) }
      route.trust = route.trust.accepting([exception])
    case .cancelAuthenticationChallenge:
      try await decided(exception, by: "user", "refused")
      throw try await cancelled(asked)
    case .useCredential, .performDefaultHandling, .rejectProtectionSpace:
      try await decided(exception, by: "policy", "refused")
      let isRejected = if case .rejectProtectionSpace = decision { true } else { false }
      try await close(asked, isRejected ? .rejected : .declined)
      throw failure
    }
  }

  private func accept(_ exception: TrustException) async throws(TransportFailure) {
    guard let account = asker.account, asker.keepsDecisions else {
      return try await decided(exception, by: "user", "accepted")
    }
    let told = event(exception.decision(by: "user", "accepted"))
    try await settled(.notSent) { [host] () throws(GatebookError) in
      try await host.accept(exception, of: account, told)
    }
  }

  private func decided(
    _ exception: TrustException, by whom: String, _ verdict: String, for error: GatebookError? = nil
  ) async throws(TransportFailure) {
    try await record(exception.decision(by: whom, verdict, for: error))
  }

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
