internal import Gatebook
internal import GatebookCrypto

extension IdentityState {
  /// `POST /token`: the grants of RFC 6749 sections 4 and 6, and of RFC 8628 section 3.4.
  mutating func token(_ request: LoopbackRequest) -> LoopbackReply {
    guard isClient(request) else { return .refused("invalid_client", status: 401) }
    if let refusal = refusal(ofProofIn: request) { return refusal }
    switch request.formValue("grant_type") {
    case "authorization_code": return redeem(request)
    case "refresh_token": return refresh(request)
    case "password": return logIn(request)
    case "client_credentials":
      // RFC 6749 section 4.4: "MUST only be used by confidential clients".
      guard settings.clientProof != .none else { return .refused("unauthorized_client") }
      return issue(Grant(isPerson: false, scope: request.formValue("scope")), request)
    case "urn:ietf:params:oauth:grant-type:device_code": return poll(request)
    default: return .refused("unsupported_grant_type")
    }
  }

  /// `POST /revoke` (RFC 7009 section 2.2): unknown tokens are answered like any other.
  mutating func revoke(_ request: LoopbackRequest) -> LoopbackReply {
    guard isClient(request) else { return .refused("invalid_client", status: 401) }
    let token = request.formValue("token") ?? ""
    tokens[token] = nil
    refreshTokens[token] = nil
    return LoopbackReply()
  }

  /// `POST /introspect` (RFC 7662 section 2).
  mutating func introspect(_ request: LoopbackRequest) -> LoopbackReply {
    guard settings.clientProof != .none, isClient(request) else {
      return .refused("invalid_client", status: 401)
    }
    guard let grant = request.formValue("token").flatMap({ tokens[$0] }) else {
      return .json(["active": false])
    }
    guard grant.isPerson else { return .json(["active": true]) }
    return .json([
      "active": true, "sub": .string(FakeIdentityServer.subject),
      "username": .string(FakeIdentityServer.user),
    ])
  }

  private mutating func redeem(_ request: LoopbackRequest) -> LoopbackReply {
    let challenge = request.formValue("code_verifier").map { Base64Text.challenge($0) }
    guard let code = request.formValue("code").flatMap({ codes.removeValue(forKey: $0) }),
      code.redirectURI == request.formValue("redirect_uri"), code.challenge == challenge
    else { return .refused("invalid_grant") }
    return issue(code.grant, request)
  }

  /// Refresh tokens rotate: the old one is invalid before the answer leaves, except for its grace
  /// period.
  private mutating func refresh(_ request: LoopbackRequest) -> LoopbackReply {
    let token = request.formValue("refresh_token") ?? ""
    // RFC 9449 section 5: that of a public application is bound to the key, too.
    guard refreshTokens[token]?.key == nil || refreshTokens[token]?.key == keyProof(request)?.key
    else { return .refused("invalid_grant") }
    guard var grant = refreshTokens.removeValue(forKey: token) else {
      guard settings.hasGrace, let reply = spent[token] else {
        return .refused("invalid_grant")
      }
      return reply
    }
    grant.nonce = nil
    let reply = issue(grant, request)
    spent[token] = reply
    return reply
  }

  private mutating func logIn(_ request: LoopbackRequest) -> LoopbackReply {
    guard request.formValue("username") == FakeIdentityServer.user,
      request.formValue("password") == FakeIdentityServer.password
    else { return .refused("invalid_grant") }
    return issue(grant(request.formValue("scope"), nil), request)
  }

  private mutating func poll(_ request: LoopbackRequest) -> LoopbackReply {
    guard let code = request.formValue("device_code"), let device = devices[code] else {
      return .refused("expired_token")
    }
    guard !settings.denies else { return .refused("access_denied") }
    guard device.polls >= settings.pendingPolls else {
      devices[code]?.polls += 1
      return .refused("authorization_pending")
    }
    devices[code] = nil
    return issue(device.grant, request)
  }

  // MARK: Tokens

  private mutating func issue(_ grant: Grant, _ request: LoopbackRequest) -> LoopbackReply {
    var grant = grant
    grant.key = settings.bindsTokens ? keyProof(request)?.key : nil
    let number = number()
    let access = issue("access-\(number)")
    tokens[access] = grant
    var answer: PlainJSON = [
      "access_token": .string(access),
      "token_type": grant.key == nil ? "Bearer" : "DPoP",
      "expires_in": .seconds(settings.lifetime),
    ]
    if !settings.withheldScopes.isEmpty { answer["scope"] = grant.scope.map { .string($0) } }
    if grant.isPerson, settings.givesRefreshTokens {
      let refresh = issue("refresh-\(number)")
      refreshTokens[refresh] = grant
      answer["refresh_token"] = .string(refresh)
    }
    if grant.wantsIdentity {
      let claims = claims(of: grant, access, at: request.received.wall)
      answer["id_token"] = .string(signed(changed(claims, .claims)))
    }
    return .json(changed(answer, .grant), fields: ["Cache-Control": "no-store"])
  }
}
