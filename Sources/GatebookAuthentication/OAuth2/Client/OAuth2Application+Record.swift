internal import GatebookCrypto
internal import GatebookEvents

extension OAuth2Application {
  /// Reads what `record` wrote; `nil` for anything else.
  init?(record: Facts) {
    guard let id = record["id"]?.text,
      let authentication = record["authentication"]?.object
        .flatMap({ Authentication(record: $0) }),
      let scopes = record["scopes"]?.list, let audiences = record["audiences"]?.list,
      let algorithms = record["algorithms"]?.list, let bindsTokens = record["bindsTokens"]?.bool
    else { return nil }
    self.init(clientID: id, authentication: authentication, scopes: scopes.compactMap(\.text))
    trustedAudiences = Set(audiences.compactMap(\.text))
    tokenAlgorithms = Set(algorithms.compactMap(\.text))
    self.bindsTokens = bindsTokens
    demandsBoundTokens = record["demandsBound"]?.bool ?? false
    // What is there must be readable.
    if let facts = record["idTokenRules"]?.object {
      guard let rules = IDTokenRules(record: facts) else { return nil }
      idTokenRules = rules
    }
  }

  /// The application for the vault, secrets included.
  var record: Facts {
    [
      "algorithms": .list(tokenAlgorithms.sorted().map { .text($0) }),
      "audiences": .list(trustedAudiences.sorted().map { .text($0) }),
      "authentication": .object(authentication.record), "bindsTokens": .bool(bindsTokens),
      "demandsBound": demandsBoundTokens ? true : nil,
      "id": .text(clientID),
      "idTokenRules": idTokenRules == IDTokenRules() ? nil : .object(idTokenRules.record),
      "scopes": .list(scopes.map { .text($0) }),
    ]
  }

  /// The scopes as the parameter holds them; `nil` for none: an empty one is not sent.
  var scope: String? { scopes.isEmpty ? nil : scopes.joined(separator: " ") }

  /// Whether the application asks who the user is (OpenID Connect Core 1.0 section 3.1.2.1).
  var asksForIdentity: Bool { scopes.contains("openid") }

  /// Whether the application asks for a refresh token by OpenID Connect's scope for it: "A prompt
  /// parameter value of consent MUST be contained" then (Core 1.0 section 11).
  ///
  /// Servers refuse the request without it, or give no refresh token.
  var asksForOfflineAccess: Bool { asksForIdentity && scopes.contains("offline_access") }

  /// The algorithms; `nil` if one is none that is known.
  var algorithms: Set<SignatureAlgorithm>? {
    let known = tokenAlgorithms.map { SignatureAlgorithm(name: $0) }
    return known.isEmpty || known.contains(nil) ? nil : Set(known.compactMap(\.self))
  }

  /// Refuses what no server can have registered.
  ///
  /// - Throws: `configuration.invalid` with the setting's name.
  func check() throws(GatebookError) {
    guard !clientID.isEmpty else {
      throw .setting("clientID", "it is empty.", remedy: "Give the client ID.")
    }
    let hasSecret =
      switch authentication.way {
      case .client(.none, _), .signed: true
      case .client(_, let secret): secret?.isEmpty == false
      case .listed(let secret): !secret.isEmpty
      }
    guard hasSecret else {
      throw .setting("authentication", "the secret is empty.", remedy: "Give the secret.")
    }
    // RFC 7617 section 2: the server ends the id at its first colon.
    if case .client(.basicRaw, _) = authentication.way, clientID.utf8.contains(.colon) {
      throw .setting(
        "authentication", "an ID with a colon cannot be sent unencoded by HTTP Basic.",
        remedy: "Send it form-encoded (client_secret_basic) or in the body (client_secret_post).")
    }
    guard bindsTokens || !demandsBoundTokens else {
      throw .setting(
        "demandsBoundTokens", "without `bindsTokens` no token is bound.", remedy: "Set both.")
    }
    // RFC 6749 section 3.3: a scope has no blanks, which stand between two.
    guard scopes.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } })
    else {
      throw .setting(
        "scopes", "one is empty or has blanks.", remedy: "Give each scope as a separate value.")
    }
    try idTokenRules.check()
    guard algorithms != nil else {
      throw .setting(
        "tokenAlgorithms", "Gatebook cannot verify one of them.",
        remedy: "Use algorithms such as RS256, PS256, ES256 or EdDSA.")
    }
  }
}

extension OAuth2Application.Authentication {
  /// Reads what `record` wrote; `nil` for anything else.
  init?(record: Facts) {
    if let key = record["privateKey"]?.object.flatMap({ JWSKey(record: $0) }) {
      way = .signed(key, keyID: record["keyID"]?.text, audience: .init(record: record))
    } else if record["way"]?.text == Self.listed, let secret = record["secret"]?.text {
      way = .listed(Secret(secret))
    } else if let name = record["way"]?.text,
      let known = OAuth2Client.Authentication(rawValue: name)
    {
      way = .client(known, record["secret"]?.text.map { Secret($0) })
    } else {
      return nil
    }
  }

  private static let listed = "listed"

  /// The way for the vault, secrets included.
  var record: Facts {
    switch way {
    case .client(let way, let secret):
      ["secret": .optional(secret?.text), "way": .text(way.rawValue)]
    case .listed(let secret): ["secret": .text(secret.text), "way": .text(Self.listed)]
    case .signed(let key, let keyID, let audience):
      [
        "audience": .optional(audience.text),
        "audienceAsked": audience == .askedEndpoint ? true : nil,
        "keyID": .optional(keyID), "privateKey": .object(key.record),
      ]
    }
  }
}

extension OAuth2Application.Authentication.Audience {
  /// Reads what the way's `record` wrote.
  init(record: Facts) {
    if let text = record["audience"]?.text {
      self = .text(text)
    } else {
      self = record["audienceAsked"]?.bool == true ? .askedEndpoint : .tokenEndpoint
    }
  }

  /// The text that was set; `nil` for an endpoint's URL.
  var text: String? {
    if case .text(let text) = self { text } else { nil }
  }
}

extension JWSKey {
  /// Reads what `record` wrote; `nil` for anything else.
  init?(record: Facts) {
    guard let bytes = record["pkcs8"]?.text.flatMap({ Base64.decode($0) }) else { return nil }
    let key = Secret(bytes)
    switch record["kind"]?.text {
    case "rsa":
      guard let key = try? RSAKey(pkcs8: key) else { return nil }
      self = .rsa(key)
    case "p256":
      guard let key = try? P256Key(pkcs8: key) else { return nil }
      self = .elliptic(key)
    default: return nil
    }
  }

  /// The key for the vault.
  var record: Facts {
    let (kind, pkcs8) =
      switch self {
      case .rsa(let key): ("rsa", key.pkcs8)
      case .elliptic(let key): ("p256", key.pkcs8)
      }
    return ["kind": .text(kind), "pkcs8": .text(pkcs8.withBytes { Base64.encode($0) })]
  }
}
