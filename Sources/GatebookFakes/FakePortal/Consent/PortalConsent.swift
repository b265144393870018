/// A question that a fake portal put to somebody who is logged in.
///
/// May this one act for you? It belongs to the session that was asked and is answered once. The
/// form and its names are inferred: a real portal's differ, and no client ever sees them.
struct PortalConsent: Sendable {
  /// What the question is about.
  enum Subject: Sendable {
    /// An OAuth 2 application's request.
    case application(AuthorizationRequest)
    /// The temporary credentials of an OAuth 1.0a consumer, by their token.
    case consumer(token: String)
  }

  /// What came of a question.
  struct Answer {
    var subject: Subject
    var userID: Int64
    var isApproved: Bool
  }

  var sessionID: String
  var subject: Subject

  /// Puts a question on a page, or sends the browser to log in first and to come back then.
  ///
  /// - Parameters:
  ///   - subject: What the question is about.
  ///   - name: Who wants to act for the user.
  ///   - visit: The request.
  ///   - state: The portal.
  /// - Returns: The page or the redirect.
  static func ask(
    about subject: Subject, for name: String, _ visit: inout FakePortalRequest,
    _ state: inout PortalState
  ) -> LoopbackReply {
    let session = state.session(of: visit.request)
    visit.recognise(session?.userID, by: .session)
    guard let session, let user = state.user(session.userID) else {
      let target = PercentText.encode(visit.request.target)
      return .redirect(to: "/c/portal/login?redirect=\(target)")
    }
    let number = state.issue(16, of: "0123456789abcdef")
    state.consents[number] = PortalConsent(sessionID: session.id, subject: subject)
    let form = PortalForm(
      action: visit.request.path, hidden: ["p_auth": session.csrfToken, "consent": number],
      inputs: [
        PortalForm.Input(kind: "submit", name: "decision", value: "approve"),
        PortalForm.Input(kind: "submit", name: "decision", value: "deny"),
      ])
    let text = PortalForm.escaped("May \(name) act for you, \(user.firstName)?")
    return PortalState.themed(token: session.csrfToken, text, form)
  }

  /// Takes the answer to a question out of a form; `nil` when this session was never asked, when
  /// its token is missing or when nothing was decided.
  static func answer(_ visit: inout FakePortalRequest, _ state: inout PortalState) -> Answer? {
    guard let session = state.session(of: visit.request), let userID = session.userID else {
      return nil
    }
    visit.recognise(userID, by: .session)
    guard state.carriesToken(visit.request, of: session),
      let decision = visit.request.formValue("decision"), ["approve", "deny"].contains(decision),
      let number = visit.request.formValue("consent"), let asked = state.consents[number],
      asked.sessionID == session.id
    else { return nil }
    state.consents[number] = nil
    return Answer(subject: asked.subject, userID: userID, isApproved: decision == "approve")
  }
}

/// A form of a fake portal's pages.
struct PortalForm {
  /// A field that the person fills in, or a button to press.
  struct Input {
    var kind: String
    var name: String
    var value = ""
  }

  var action: String
  var hidden: KeyValuePairs<String, String>
  var inputs: [Input]

  /// The login form.
  static func login(token: String?, redirect: String) -> PortalForm {
    PortalForm(
      action: "/c/portal/login", hidden: ["p_auth": token ?? "", "redirect": redirect],
      inputs: [
        Input(kind: "text", name: "login"), Input(kind: "password", name: "password"),
        Input(kind: "submit", name: "", value: "Log in"),
      ])
  }

  /// The form as HTML.
  var html: String {
    let all = hidden.map { Input(kind: "hidden", name: $0.key, value: $0.value) } + inputs
    let lines = all.map { input in
      let name = input.name.isEmpty ? "" : " name=\"\(Self.escaped(input.name))\""
      return "<input type=\"\(input.kind)\"\(name) value=\"\(Self.escaped(input.value))\">\n"
    }
    return "<form method=\"post\" action=\"\(Self.escaped(action))\">\n\(lines.joined())</form>\n"
  }

  /// Text that is safe in a page or between quotes.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
