/// What an application asked for when it sent the browser (RFC 6749 section 4.1.1).
struct AuthorizationRequest: Hashable, Sendable {
  /// What becomes of a request before anybody is asked.
  enum Verdict {
    /// The user decides.
    case ask(AuthorizationRequest)
    /// The browser stays here: nobody knows whose address that is.
    case page(String)
    /// The browser goes back to the application with an error.
    case back(LoopbackReply)
  }

  var clientID: String
  var redirectURI: String
  var state: String?
  var scope: String
  /// The S256 challenge (RFC 7636 section 4.3).
  var challenge: String?

  /// Judges a request.
  ///
  /// - Parameters:
  ///   - request: What the browser sent.
  ///   - applications: Who is registered.
  /// - Returns: What becomes of it.
  static func judge(
    _ request: LoopbackRequest, _ applications: PortalOAuth2
  ) -> Verdict {
    let names = request.queryPairs.map(\.name)
    // RFC 6749 section 3.1: parameters must not be included more than once.
    guard Set(names).count == names.count else { return .page("A parameter came twice.") }
    guard let application = applications.application(request.queryValue("client_id")) else {
      return .page("The client is not known.")
    }
    guard let uri = request.queryValue("redirect_uri"), application.redirectURIs.contains(uri)
    else { return .page("The redirect URI is not registered.") }
    var wanted = AuthorizationRequest(
      clientID: application.clientID, redirectURI: uri, state: request.queryValue("state"),
      scope: "", challenge: request.queryValue("code_challenge"))
    guard request.queryValue("response_type") == "code" else {
      return .back(wanted.answer("error", "unsupported_response_type"))
    }
    guard application.grants.contains(.authorizationCode) else {
      return .back(wanted.answer("error", "unauthorized_client"))
    }
    guard let scope = application.granted(request.queryValue("scope")) else {
      return .back(wanted.answer("error", "invalid_scope"))
    }
    guard wanted.isProved(by: request.queryValue("code_challenge_method"), application) else {
      return .back(wanted.answer("error", "invalid_request"))
    }
    wanted.scope = scope
    return .ask(wanted)
  }

  /// Sends the browser back with one parameter and, if there was one, the state.
  func answer(_ name: String, _ value: String) -> LoopbackReply {
    let state = self.state.map { [("state", $0)] } ?? []
    return .redirect(to: redirectURI, adding: [(name, value)] + state)
  }

  /// Whether a challenge is there and S256 when one is due; `plain` is refused from everybody.
  private func isProved(by method: String?, _ application: FakePortalApplication) -> Bool {
    guard let challenge else { return !application.isPublic && method == nil }
    // RFC 7636 section 4.2: 32 bytes in base64url are 43 characters.
    return method == "S256" && challenge.utf8.count == 43
  }
}

extension PortalState {
  /// `/o/oauth2/authorize`: GET asks the user, POST takes the answer (RFC 6749 section 4.1.1).
  mutating func authorizeApplication(_ visit: inout FakePortalRequest) -> LoopbackReply {
    visit.request.method == "GET" ? ask(&visit) : decide(&visit)
  }

  private mutating func ask(_ visit: inout FakePortalRequest) -> LoopbackReply {
    switch AuthorizationRequest.judge(visit.request, oauth2) {
    case .page(let reason): return Self.page.error(400, reason)
    case .back(let reply): return reply
    case .ask(let request):
      return PortalConsent.ask(
        about: .application(request), for: "the application \(request.clientID)", &visit, &self)
    }
  }

  private mutating func decide(_ visit: inout FakePortalRequest) -> LoopbackReply {
    guard let answer = PortalConsent.answer(&visit, &self),
      case .application(let request) = answer.subject
    else { return Self.page.error(403, "Nobody was asked that.") }
    guard answer.isApproved else {
      return request.answer("error", "access_denied")
    }
    return request.answer("code", issueCode(for: request, to: answer.userID))
  }
}
