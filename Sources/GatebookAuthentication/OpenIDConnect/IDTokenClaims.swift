package import GatebookEvents

/// What an issuer says of a user and of the login, after every check (OpenID Connect Core 1.0
/// section 2).
package struct IDTokenClaims: Hashable, Sendable {
  /// `iss`.
  package var issuer: String
  /// `sub`: the user's id, unique and never reassigned at this issuer.
  package var subject: String
  /// `aud`, this client's id among them.
  package var audiences: [String]
  /// `azp`.
  package var authorizedParty: String?
  /// `exp`, by the issuer's clock.
  package var expiry: Timestamp
  /// `iat`, by the issuer's clock.
  package var issuedAt: Timestamp
  /// `auth_time`, by the issuer's clock.
  package var authenticatedAt: Timestamp?
  /// `acr`.
  package var contextClass: String?
  /// `amr`.
  package var methods: [String]
  /// `nonce`.
  package var nonce: String?
  /// All other claims: what the issuer tells about the user.
  package var others: Facts

  /// Makes claims.
  package init(
    issuer: String, subject: String, audiences: [String], authorizedParty: String? = nil,
    expiry: Timestamp, issuedAt: Timestamp, authenticatedAt: Timestamp? = nil,
    contextClass: String? = nil, methods: [String] = [], nonce: String? = nil, others: Facts = [:]
  ) {
    self.issuer = issuer
    self.subject = subject
    self.audiences = audiences
    self.authorizedParty = authorizedParty
    self.expiry = expiry
    self.issuedAt = issuedAt
    self.authenticatedAt = authenticatedAt
    self.contextClass = contextClass
    self.methods = methods
    self.nonce = nonce
    self.others = others
  }

  /// The claims that are not about the user.
  static let own: Set<String> = [
    "iss", "sub", "aud", "azp", "exp", "iat", "nbf", "auth_time", "acr", "amr", "nonce", "jti",
    "at_hash", "c_hash", "s_hash",
  ]
}

extension IDTokenClaims: StoredRecord {
  /// The claims, for the vault.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    self.init(
      issuer: try facts.required("iss", kept?.issuer),
      subject: try facts.required("sub", kept?.subject),
      audiences: try facts.required("aud", kept?.audiences),
      authorizedParty: facts.optional("azp", kept?.authorizedParty),
      expiry: try facts.required("expUs", kept?.expiry),
      issuedAt: try facts.required("iatUs", kept?.issuedAt),
      authenticatedAt: facts.optional("authTimeUs", kept?.authenticatedAt),
      contextClass: facts.optional("acr", kept?.contextClass),
      methods: facts.optional("amr", kept?.methods) ?? [],
      nonce: facts.optional("nonce", kept?.nonce))
  }
}
