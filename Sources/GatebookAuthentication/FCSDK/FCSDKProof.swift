package import GatebookCrypto
package import GatebookEvents

/// A session of a Fusion client gateway: its id, and what goes along with requests to the web
/// application that made it.
package struct FCSDKProof: Renewable, LogoutCapable {
  /// Frozen: it is stored in events.
  package static let method = "fcsdk"

  /// The id that the communication client is given, unchanged.
  package let sessionID: Secret
  /// What made it; with the password only in saved credentials.
  private let login: FCSDKLogin

  /// Makes the proof of a session, or saved credentials, which log in again.
  init(_ login: FCSDKLogin, sessionID: Secret, keepsPassword: Bool = false) {
    var kept = login
    if !keepsPassword { kept.password = nil }
    self.login = kept
    self.sessionID = sessionID
  }

  /// The gateway.
  package var gateway: FCSDKGateway { login.gateway }

  /// The web application's.
  package var origin: Origin { gateway.loginURL.origin }

  /// Server, port, secure, path, cookies and name.
  package var settings: Facts { login.settings }

  /// As the account's settings say.
  package var keepsCookies: Bool { gateway.useCookies }

  /// Adds the jar's cookies, where the account uses any, and the extra field for its own server.
  package func authorise(
    _ request: HTTPRequest, jar: CookieJar, at moment: Moment, random: [UInt8]
  ) -> HTTPRequest {
    var request = request
    if gateway.useCookies {
      request = request.carrying(jar, at: moment)
    } else {
      request.fields.removeAll { $0.name.equalsIgnoringCase("Cookie") }
    }
    return gateway.decorate(request)
  }

  /// Nothing: a page of the web application, or a proxy, does not know gateway sessions.
  ///
  /// Only a refused login, a report of the system or a policy ends one.
  package func judge(_ reply: HTTPReply, to request: HTTPRequest) -> SessionVerdict {
    .unaffected
  }

  /// Yes.
  package var renewsByPassword: Bool { true }

  /// A login with the saved password; none for a session.
  package func renewal(jar: CookieJar) -> (any Authenticator)? {
    login.password == nil ? nil : FCSDKAuthenticator(login)
  }

  /// Nothing that the web application answers proves a session.
  package func verification(jar: CookieJar) -> any Authenticator { FCSDKVerification() }

  /// Ends the session by its id; none for an id that no URL can name.
  package func logOut(jar: CookieJar, at moment: Moment) -> [HTTPRequest] {
    guard let url = gateway.logoutURL(of: sessionID) else { return [] }
    let request = HTTPRequest("DELETE", url, fields: [.json], limits: .login)
    return [authorise(request, jar: jar, at: moment, random: [])]
  }
}

extension FCSDKProof: StoredRecord {
  /// Gateway, user and id of the session.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    let gateway = try facts.required("gateway", kept?.gateway)
    let password = facts.optional("password", kept?.login.password)
    sessionID = try facts.required("sessionid", kept?.sessionID)
    login = FCSDKLogin(
      gateway: gateway, user: try facts.required("user", kept?.login.user), password: password)
  }
}

/// Says that nothing can be said: the web application has no URL that proves a session.
///
/// Only the gateway knows, when the communication client connects with the session's id.
///
/// ```
/// ready --start--> login.unprovable   nothing is sent
/// ```
struct FCSDKVerification: Authenticator {
  mutating func next(_ input: Input) throws(GatebookError) -> Step {
    throw GatebookError(
      .loginUnprovable, "This server has no page that can confirm a session.",
      kept: "The session is unchanged.",
      remedy: "Connect to the gateway: it rejects a session that has ended.")
  }
}
