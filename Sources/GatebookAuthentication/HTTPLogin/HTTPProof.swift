package import GatebookCrypto
package import GatebookEvents

/// Authorises requests with HTTP Basic or Digest inside the protection space that the server shows.
///
/// Outside that space nothing is sent unasked: which realm applies there is unknown, and a password
/// is not offered to a realm that did not ask (RFC 7617 section 2.2).
///
/// Basic needs only this proof. Digest needs the server's last challenge, so a sender keeps an
/// `authorizer` of the proof in memory and passes requests through it. A request that is authorized
/// by the proof alone is challenged first.
package struct HTTPProof: SessionProof {
  /// Frozen: it is stored in events.
  package static let method = "http"

  private let login: HTTPLogin
  private let realm: String

  init(_ login: HTTPLogin, realm: String) {
    self.login = login
    self.realm = realm
  }

  /// URL and name.
  package var settings: Facts { login.settings }

  /// The check URL's.
  package var origin: Origin { login.url.origin }

  /// What answers the server's challenges for this session, as if it had not been asked yet.
  ///
  /// One for each session and process: it counts how often a nonce was used.
  package var authorizer: HTTPAuthorizer {
    HTTPAuthorizer(keeping: login.credential, realm: realm, provenAt: login.url)
  }

  /// Adds the jar's cookies and, with Basic inside the protection space, `Authorization`.
  package func authorise(
    _ request: HTTPRequest, jar: CookieJar, at moment: Moment, random: [UInt8]
  ) -> HTTPRequest {
    let request = request.carrying(jar, at: moment)
    guard let field = login.credential.basicField, covers(request.url) else { return request }
    return request.replacing(field)
  }

  /// A 401 where credentials belong.
  ///
  /// With Basic the password has changed. With Digest that is one of two things: the server asks
  /// for an answer, which an `authorizer` gives, or it refused one.
  package func judge(_ reply: HTTPReply, to request: HTTPRequest) -> SessionVerdict {
    reply.status == 401 && covers(request.url) ? .authorityLost : .unaffected
  }

  /// Basic covers the folder of the check URL; Digest the whole server until its challenge says
  /// less.
  private func covers(_ url: HTTPURL) -> Bool {
    switch login.credential.evidence {
    case .password: ProtectionSpace(around: login.url).contains(url)
    case .keys: url.origin == login.url.origin
    }
  }

  /// Why the password was not sent to a server that asks for one.
  ///
  /// It asks in a weaker way than the login gave the password, or for that of another realm.
  ///
  /// - Parameter reply: The answer.
  /// - Returns: `challenge.unhandled`; `nil` for any other answer.
  package func withheld(in reply: HTTPReply) -> GatebookError? {
    let floor = login.credential.floor
    guard reply.status == 401, let asked = reply.strength else { return nil }
    guard asked >= floor else { return HTTPChallenge.weakened(reply, from: floor) }
    let realms = reply.challenges.filter { HTTPStrength($0) != nil }.map { $0.realm ?? "" }
    return realms.contains { $0.utf8.elementsEqual(realm.utf8) }
      ? nil : HTTPChallenge.ofOtherRealm(reply)
  }

  /// Yes, or what Digest makes of it: so does each request.
  package var renewsByPassword: Bool { true }

  /// The check URL with the credentials.
  package func verification(jar: CookieJar) -> any Authenticator {
    HTTPAuthenticator(login, authorizer, proving: self, jar: jar)
  }

  /// Each request brings the password: nothing lives on.
  package var livesAtServer: Bool { false }
}

extension HTTPProof: PasswordBearing {
  /// Inside the protection space of a login by Basic; of one by Digest no password is kept.
  package func password(at url: HTTPURL, realm named: String?) -> (user: String, password: Secret)?
  {
    guard case .password(let password) = login.credential.evidence,
      url.origin == login.url.origin, url.path == "/" || covers(url),
      named.map({ $0.utf8.elementsEqual(realm.utf8) }) ?? true
    else { return nil }
    return (login.credential.user, password)
  }
}

extension HTTPProof: StoredRecord {
  /// URL, realm, and user with password or keys.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    let credential = try HTTPCredential(kept?.login.credential, &facts)
    realm = try facts.required("realm", kept?.realm)
    login = HTTPLogin(url: try facts.required("url", kept?.login.url), credential: credential)
  }
}

extension GatebookError {
  /// The reply carries a proof that the server knows the password, and the proof is wrong.
  ///
  /// `identity.mismatch`: the answer is not from the server that knows the password.
  package static func untrusted(_ reply: HTTPReply) -> GatebookError {
    .atLogin(
      .identityMismatch, .rspauth,
      "The answer was changed on its way, or something else answered instead of the server.",
      remedy: "Use TLS, and ask the server's administrator.", status: reply.status)
  }

  /// Whether the server answered for another user than the account's.
  ///
  /// Not where something else answered instead of the server: that says nothing about the session.
  package var isOfAnotherUser: Bool { code == .identityMismatch && fault != Fault.rspauth.name }
}
