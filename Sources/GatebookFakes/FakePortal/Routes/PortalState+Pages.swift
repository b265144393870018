extension PortalState {
  /// `GET /`, `GET /web/guest` and `GET /c`: themed pages, for guests too.
  mutating func showPage(_ visit: inout FakePortalRequest) -> LoopbackReply {
    var cookies = PortalCookies(at: wall)
    if visit.request.cookie("COOKIE_SUPPORT") == nil { cookies.setCommon() }
    let known = self.session(of: visit.request)
    let session = known ?? beginSession(of: nil)
    visit.recognise(session.userID, by: .session)
    if known == nil { cookies.setSession(session.id) }
    guard visit.request.path != Route.hop.rawValue else {
      return cookies.on(.redirect(to: "/web/guest"))
    }
    let token = switches.omitsToken ? nil : session.csrfToken
    return cookies.on(Self.themed(token: token, text(visit), form(visit, token)))
  }

  private func form(_ visit: FakePortalRequest, _ token: String?) -> PortalForm? {
    guard visit.request.queryValue("p_p_id") != nil else { return nil }
    return .login(token: token, redirect: visit.request.queryValue("redirect") ?? "")
  }

  private func text(_ visit: FakePortalRequest) -> String {
    if visit.request.queryValue("error") != nil { return "Authentication failed." }
    if visit.request.queryValue("p_p_id") != nil { return "Please log in." }
    guard let user = self.user(visit.userID) else { return "You are a guest." }
    return "You are logged in as user \(user.userID)."
  }

  /// `GET /documents/{id}`: a file that only a logged-in session cookie opens.
  mutating func showDocument(_ visit: inout FakePortalRequest) -> LoopbackReply {
    let userID = session(of: visit.request)?.userID
    visit.recognise(userID, by: .session)
    guard let user = self.user(userID) else {
      return Self.page.error(403, "You do not have permission to read this document.")
    }
    let id = visit.request.path.dropFirst("/documents/".count)
    return .text(
      "Document \(id) of the \(Self.page.name), read by user \(user.userID).\n",
      fields: ["Content-Disposition": "attachment; filename=\"\(id).txt\""])
  }
}
