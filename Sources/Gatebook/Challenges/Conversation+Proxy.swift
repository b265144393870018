/// Proxies between the book and its servers ask too (RFC 9110 section 11.7).
extension Conversation {
  /// A credential on its way to a proxy.
  struct ProxyOffer: Sendable {
    let given: GivenCredential
    let persistence: ChallengeCredential.Persistence
    let challenge: AskedChallenge
  }

  /// What a proxy gets with the next request.
  ///
  /// What was just given is nobody else's yet: another request may hold something better.
  var proxyCredential: ProxyCredential? {
    if let offer = proxyOffer { return offer.given.proxyCredential }
    if let proxyOnce { return proxyOnce }
    return held.proxy
  }

  /// Asks what a proxy wants to know; returns when the request may be sent again.
  mutating func consider(
    _ demand: ProxyDemand, _ failure: TransportFailure
  ) async throws(TransportFailure) {
    if let offer = proxyOffer {
      proxyOffer = nil
      proxyFailures += 1
      try await close(offer.challenge, .refused)
    }
    proxyOnce = nil
    // What it does not take is not sent again, by this process. Who has meanwhile given it
    // something else has answered for this request too.
    if held.hasOther(than: route.proxyCredential, for: demand.proxy) { return }
    for offer in demand.offers.passwordsFirst {
      let name = GatebookError.isErrorCode(offer.scheme) ? offer.scheme : "other"
      var asked = AskedChallenge(scheme: name)
      asked.isOfProxy = true
      let challenge = Challenge(
        question: offer.question, server: demand.proxy, isProxy: true, account: asker.account,
        session: asker.session, previousFailureCount: proxyFailures)
      guard let decision = try await decide(challenge, asked, realm: offer.realm) else { break }
      switch decision {
      case .useCredential(let credential):
        guard offer.scheme == "basic", let given = given(credential, offer, demand.proxy) else {
          try await close(asked, .unfit)
          continue
        }
        try await answered(asked)
        proxyOffer = ProxyOffer(
          given: given, persistence: credential.persistence, challenge: asked)
        return
      case .performDefaultHandling, .acceptCertificate:
        try await close(asked, .declined)
        throw failure
      case .cancelAuthenticationChallenge: throw try await cancelled(asked)
      case .rejectProtectionSpace: try await close(asked, .rejected)
      }
    }
    throw failure
  }

  /// What is kept of a credential for a proxy; `nil` for one that Basic cannot carry, or must not
  /// without TLS.
  private func given(
    _ credential: ChallengeCredential, _ offer: ProxyDemand.Offer, _ proxy: Origin
  ) -> GivenCredential? {
    let given = GivenCredential(
      server: proxy, realm: offer.realm ?? "",
      credential: HTTPCredential(user: credential.user, .password(credential.password)),
      isPermanent: credential.persistence == .permanent,
      // Cleartext that was permitted to a server is not permitted to its proxy.
      allowsCleartext: cleartextOrigins.contains(proxy), strength: .basic, isProxy: true)
    guard given.proxyCredential?.isBasic == true else { return nil }
    return given
  }

  /// Takes an answer's word that the proxy has let the request through.
  mutating func passProxy() {
    guard let offer = proxyOffer else { return }
    proxyOffer = nil
    if offer.persistence == .none {
      proxyOnce = offer.given.proxyCredential
    } else {
      given = given.adding(offer.given)
      held.set(offer.given.proxyCredential)
    }
  }
}

extension ProxyDemand.Offer: Asking {}

extension ProxyCredential {
  /// Whether Basic can carry it (RFC 7617 section 2).
  fileprivate var isBasic: Bool {
    let isPlain = password.withBytes { bytes in bytes.allSatisfy { !Self.isControl($0) } }
    return isPlain && user.utf8.allSatisfy { $0 != UInt8(ascii: ":") && !Self.isControl($0) }
  }

  private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7f }
}
