package import GatebookCrypto
package import GatebookEvents

/// A session of a Fusion client gateway: its id, and what goes along with requests to the web
/// application that made it.
package struct FCSDKProof: SessionProof {
  /// Frozen: it is stored in events.
  package static let method = "fcsdk"

  /// The gateway.
  package let gateway: FCSDKGateway
  /// The id that the communication client is given, unchanged.
  package let sessionID: Secret
  private let user: String
  /// Only in saved credentials: a session never needs it.
  private let password: Secret?

  init(_ gateway: FCSDKGateway, user: String, sessionID: Secret, password: Secret? = nil) {
    self.gateway = gateway
    self.user = user
    self.sessionID = sessionID
    self.password = password
  }

  /// The same with what logs in again.
  func with(_ password: Secret) -> FCSDKProof {
    FCSDKProof(gateway, user: user, sessionID: sessionID, password: password)
  }

  /// The web application's.
  package var origin: Origin { gateway.loginURL.origin }

  /// Server, port, secure, path, cookies and name.
  package var settings: Facts {
    [
      "gateway": .object(gateway.settings), "hasField": gateway.field == nil ? nil : true,
      "user": .text(user),
    ]
  }

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

  /// Never: the server does not say how long a session lives.
  package func needsRenewal(since renewed: Moment, at moment: Moment) -> Bool { false }

  /// Yes.
  package var renewsByPassword: Bool { true }

  /// A login with the saved password; none for a session.
  package func renewal(jar: CookieJar) -> (any Authenticator)? {
    password.map { FCSDKAuthenticator(FCSDKLogin(gateway: gateway, user: user, password: $0)) }
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
    self.init(
      try facts.required("gateway", kept?.gateway), user: try facts.required("user", kept?.user),
      sessionID: try facts.required("sessionid", kept?.sessionID),
      password: facts.optional("password", kept?.password))
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
