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
}
