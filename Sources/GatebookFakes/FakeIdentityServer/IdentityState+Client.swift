internal import Gatebook

extension IdentityState {
  /// Whether the application shows who it is, in the one way that it must (RFC 6749 section 2.3:
  /// "The client MUST NOT use more than one authentication method in each request").
  mutating func isClient(_ request: LoopbackRequest) -> Bool {
    let id = request.formValue("client_id")
    let secret = request.formValue("client_secret")
    let assertion = request.formValue("client_assertion")
    let field = request.fields["Authorization"]
    switch settings.clientProof {
    case .none:
      let isKnown = id.map {
        $0 == FakeIdentityServer.clientID || settings.otherClientIDs.contains($0)
      }
      return isKnown == true && secret == nil && assertion == nil && field == nil
    case .basic:
      guard let basic = request.basicCredentials, secret == nil, assertion == nil else {
        return false
      }
      return PercentText.decode(basic.name, plusIsBlank: true) == FakeIdentityServer.clientID
        && basic.password.utf8.allSatisfy({ $0 != UInt8(ascii: " ") })
        && PercentText.decode(basic.password, plusIsBlank: true) == FakeIdentityServer.secret
    case .post:
      return id == FakeIdentityServer.clientID && secret == FakeIdentityServer.secret
        && assertion == nil && field == nil
    case .privateKey:
      guard secret == nil, field == nil, let assertion,
        request.formValue("client_assertion_type")
          == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
      else { return false }
      return take(assertion, at: request.received.wall)
    }
  }

  /// RFC 7523 section 3, and each assertion once.
  private mutating func take(_ assertion: String, at now: Timestamp) -> Bool {
    guard let parts = SignedParts(compact: assertion),
      let key = RegisteredKey(rsa: FakeIdentityKey.client.jwk()), parts.isSigned(by: key),
      parts.payload["iss"]?.string == FakeIdentityServer.clientID,
      parts.payload["sub"]?.string == FakeIdentityServer.clientID,
      parts.payload["aud"]?.string == "\(url)/token",
      let end = parts.payload["exp"]?.integer, end > now.rawValue / 1_000_000,
      let id = parts.payload["jti"]?.string
    else { return false }
    return assertions.insert(id).inserted
  }
}
