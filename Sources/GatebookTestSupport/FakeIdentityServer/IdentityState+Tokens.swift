internal import Gatebook

extension IdentityState {
  /// `POST /token`: the grants of RFC 6749 sections 4 and 6, and of RFC 8628 section 3.4.
  mutating func token(_ request: LoopbackRequest) -> LoopbackReply {
    guard isClient(request) else { return .refused("invalid_client", status: 401) }
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
      return .json(PlainJSON.named(["active": .bool(false)]).text)
    }
    var members: [PlainJSON.Member] = [PlainJSON.Member(name: "active", value: .bool(true))]
    if grant.isPerson {
      members.append(PlainJSON.Member(name: "sub", value: .string(FakeIdentityServer.subject)))
      members.append(PlainJSON.Member(name: "username", value: .string(FakeIdentityServer.user)))
    }
    return .json(PlainJSON.object(members).text)
  }

  private mutating func redeem(_ request: LoopbackRequest) -> LoopbackReply {
    // RFC 7636 section 4.6: BASE64URL(SHA256(ASCII(code_verifier))).
    let challenge = request.formValue("code_verifier").map { verifier in
      Base64Text.encodeForURL(PlainHash.sha256(Array(verifier.utf8)))
    }
    guard let code = request.formValue("code").flatMap({ codes.removeValue(forKey: $0) }),
      code.redirectURI == request.formValue("redirect_uri"), code.challenge == challenge
    else { return .refused("invalid_grant") }
    return issue(code.grant, request)
  }

  /// Refresh tokens rotate: the old one is dead before the answer leaves, but for its grace.
  private mutating func refresh(_ request: LoopbackRequest) -> LoopbackReply {
    let token = request.formValue("refresh_token") ?? ""
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
    let number = number()
    let access = "access-\(number)"
    tokens[access] = grant
    issued.append(access)
    var members: [PlainJSON.Member] = [
      PlainJSON.Member(name: "access_token", value: .string(access)),
      PlainJSON.Member(name: "token_type", value: .string("Bearer")),
      PlainJSON.Member(name: "expires_in", value: .integer(settings.lifetime.components.seconds)),
    ]
    if !settings.withheldScopes.isEmpty, let scope = grant.scope {
      members.append(PlainJSON.Member(name: "scope", value: .string(scope)))
    }
    if grant.isPerson, settings.givesRefreshTokens {
      let refresh = "refresh-\(number)"
      refreshTokens[refresh] = grant
      issued.append(refresh)
      members.append(PlainJSON.Member(name: "refresh_token", value: .string(refresh)))
    }
    if grant.wantsIdentity {
      let claims = claims(of: grant, access, at: request.received.wall)
      members.append(
        PlainJSON.Member(
          name: "id_token", value: .string(FakeIdentityKey.server.signed(claims, settings.keyID))))
    }
    return .json(PlainJSON.object(members).text, fields: ["Cache-Control": "no-store"])
  }

  /// The claims of OpenID Connect Core 1.0 sections 2 and 3.1.3.6.
  private func claims(of grant: Grant, _ access: String, at now: Timestamp) -> PlainJSON {
    let seconds = now.rawValue / 1_000_000
    let hash = PlainHash.sha256(Array(access.utf8)).prefix(16)
    var members: [PlainJSON.Member] = [
      PlainJSON.Member(name: "iss", value: .string(url)),
      PlainJSON.Member(name: "sub", value: .string(settings.subject)),
      PlainJSON.Member(name: "aud", value: .string(FakeIdentityServer.clientID)),
      PlainJSON.Member(name: "iat", value: .integer(seconds)),
      PlainJSON.Member(name: "exp", value: .integer(seconds + 300)),
      PlainJSON.Member(name: "at_hash", value: .string(Base64Text.encodeForURL(Array(hash)))),
    ]
    if let nonce = grant.nonce {
      members.append(PlainJSON.Member(name: "nonce", value: .string(nonce)))
    }
    if let contextClass = grant.contextClass {
      members.append(PlainJSON.Member(name: "acr", value: .string(contextClass)))
    }
    if grant.tellsTime {
      members.append(PlainJSON.Member(name: "auth_time", value: .integer(seconds)))
    }
    return .object(members)
  }
}
