internal import GatebookCrypto
package import GatebookEvents

/// Authorises requests with HTTP Basic inside the protection space that the login showed.
///
/// Outside that space nothing is sent, on other paths of the same origin neither: which realm
/// applies there is unknown, and a password is not offered to a realm that did not ask (RFC 7617
/// section 2.2).
package struct HTTPProof: SessionProof {
  /// Frozen: stands in events.
  package static let method = "http"

  private let login: HTTPLogin
  private let realm: String

  init(_ login: HTTPLogin, realm: String) {
    self.login = login
    self.realm = realm
  }

  /// Reads what `record` wrote; `nil` for anything else.
  package init?(record: Facts) {
    guard let url = record["url"]?.text.flatMap({ HTTPURL($0) }),
      let user = record["user"]?.text, let password = record["password"]?.text,
      let realm = record["realm"]?.text
    else { return nil }
    self.init(HTTPLogin(url: url, user: user, password: Secret(password)), realm: realm)
  }

  /// Name, password, check URL and realm.
  package var record: Facts {
    [
      "password": .text(login.password.text), "realm": .text(realm),
      "url": .text(login.url.description), "user": .text(login.user),
    ]
  }

  /// The check URL's.
  package var origin: Origin { login.url.origin }

  private var space: ProtectionSpace { ProtectionSpace(around: login.url) }

  /// Adds the jar's cookies and, inside the protection space, `Authorization`.
  package func authorise(
    _ request: HTTPRequest, jar: CookieJar, at moment: Moment, random: [UInt8]
  ) -> HTTPRequest {
    let request = request.carrying(jar, at: moment)
    guard space.contains(request.url), let credentials = try? login.credentials() else {
      return request
    }
    return request.replacing(credentials.field)
  }

  /// A 401 where credentials were sent: the password has changed.
  package func judge(_ reply: HTTPReply, to request: HTTPRequest) -> SessionVerdict {
    reply.status == 401 && space.contains(request.url) ? .authorityLost : .unaffected
  }

  /// Never: the server knows no session.
  package func needsRenewal(since renewed: Moment, at moment: Moment) -> Bool { false }

  /// None: every request carries the password already.
  package func renewal(jar: CookieJar) -> (any Authenticator)? { nil }

  /// The check URL with the credentials.
  package func verification(jar: CookieJar) -> any Authenticator {
    SessionCheck(
      login.url, person: login.person, proof: self, jar: jar, isForbiddenToStrangers: false)
  }

  /// Nothing to end.
  package func logOut(jar: CookieJar, at moment: Moment) -> [HTTPRequest] { [] }
}
