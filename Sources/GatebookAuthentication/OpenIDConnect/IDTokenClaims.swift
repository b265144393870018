package import GatebookCrypto
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

/// The answer that an ID token came with.
package enum IDTokenAnswer: Sendable {
  /// The answer to a login.
  case login(Login)
  /// The answer to a refresh, what the login's own ID token said, and the new access token.
  case refresh(first: IDTokenClaims, accessToken: Secret?)

  /// What was asked for in a login, and what came along.
  package struct Login: Sendable {
    /// The nonce that was sent; `nil` if none was.
    package var nonce: String?
    /// `max_age` that was sent.
    package var maximumAge: Duration?
    /// The `acr` values that were asked for as essential; none means any.
    package var contextClasses: [String]
    /// The access token of the same answer.
    package var accessToken: Secret?
    /// The code that was redeemed.
    package var code: Secret?

    /// Makes the description of an answer.
    package init(
      nonce: String?, maximumAge: Duration? = nil, contextClasses: [String] = [],
      accessToken: Secret? = nil, code: Secret? = nil
    ) {
      self.nonce = nonce
      self.maximumAge = maximumAge
      self.contextClasses = contextClasses
      self.accessToken = accessToken
      self.code = code
    }
  }
}

/// What a check of a server's signed word came to.
package enum IDTokenVerdict<Content: Sendable>: Sendable {
  /// Every rule was kept.
  case accepted(Content)
  /// The key is none of those at hand: fetch the issuer's keys once more and check again; if it is
  /// unknown still, the error is that of ``JSONWebTokenRefusal/unknownKey``.
  case unknownKey
  /// A rule was broken.
  case refused(IDTokenRefusal)

  init(_ check: () throws(IDTokenRefusal) -> Content) {
    do throws(IDTokenRefusal) {
      self = .accepted(try check())
    } catch  where error == .token(.unknownKey) {
      self = .unknownKey
    } catch {
      self = .refused(error)
    }
  }
}

extension IDTokenVerdict: Equatable where Content: Equatable {}
