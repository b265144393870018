internal import GatebookCrypto
package import GatebookEvents

extension OAuth2Application: StoredRecord {
  /// The application for the vault, secrets included.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    tokenAlgorithms = try facts.required("algorithms", kept?.tokenAlgorithms)
    trustedAudiences = try facts.required("audiences", kept?.trustedAudiences)
    authentication = try facts.required("authentication", kept?.authentication)
    bindsTokens = try facts.required("bindsTokens", kept?.bindsTokens)
    demandsBoundTokens = facts.optional("demandsBound", kept?.demandsBoundTokens, unless: false)
    clientID = try facts.required("id", kept?.clientID)
    idTokenRules = try facts.readable(
      "idTokenRules", kept?.idTokenRules, unless: IDTokenRules())
    scopes = try facts.required("scopes", kept?.scopes)
  }
}

extension OAuth2Application {
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

extension OAuth2Application.Authentication: Storable {
  /// Reads what `record` wrote; `nil` for anything else.
  package init?(record: Facts) {
    if let key = record["privateKey"].flatMap({ JWSKey(fact: $0) }) {
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
  package var record: Facts {
    switch way {
    case .client(let way, let secret):
      ["secret": .optional(secret?.text), "way": .text(way.rawValue)]
    case .listed(let secret): ["secret": .text(secret.text), "way": .text(Self.listed)]
    case .signed(let key, let keyID, let audience):
      [
        "audience": .optional(audience.text),
        "audienceAsked": audience == .askedEndpoint ? true : nil,
        "keyID": .optional(keyID), "privateKey": key.fact,
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

extension JWSKey: Storable {
  package init?(record: Facts) {
    guard let pkcs8 = record["pkcs8"] else { return nil }
    let key: JWSKey? =
      switch record["kind"]?.text {
      case "rsa": RSAKey(fact: pkcs8).map { .rsa($0) }
      case "p256": P256Key(fact: pkcs8).map { .elliptic($0) }
      default: nil
      }
    guard let key else { return nil }
    self = key
  }

  package var record: Facts {
    switch self {
    case .rsa(let key): ["kind": "rsa", "pkcs8": key.fact]
    case .elliptic(let key): ["kind": "p256", "pkcs8": key.fact]
    }
  }
}
