extension PortalState {
  /// `POST /c/portal/login`: the login form; GET leads to the page that has it.
  mutating func logIn(_ visit: inout FakePortalRequest) -> LoopbackReply {
    let request = visit.request
    guard request.method == "POST" else {
      return .redirect(to: loginPage(from: request.queryValue("redirect")))
    }
    let session = self.session(of: request)
    guard request.cookie("COOKIE_SUPPORT") == "true" else {
      let page = loginPage(from: request.formValue("redirect"))
      return .redirect(to: "\(page)&error=cookies-not-supported")
    }
    if switches.needsTokenForLogin {
      guard let session, carriesToken(request, of: session) else {
        return Self.page.error(403, "The form came without the token of its page.")
      }
    }
    // Only the form counts: a password in the query is ignored.
    let kind = request.formValue("authType").flatMap { FakePortalLoginName(rawValue: $0) }
    guard let name = request.formValue("login"), let password = request.formValue("password"),
      let user = authenticate(name, password, by: kind ?? switches.loginName)
    else { return refuse(request, session) }
    if let session { sessions[session.id] = nil }
    visit.recognise(user.userID, by: .session)
    return admit(user, as: name, request)
  }

  private mutating func refuse(
    _ request: LoopbackRequest, _ session: FakePortalSession?
  ) -> LoopbackReply {
    var cookies = PortalCookies(at: wall)
    if session == nil { cookies.setSession(beginSession(of: nil).id) }
    let page = loginPage(from: request.formValue("redirect"))
    return cookies.on(.redirect(to: "\(page)&error=authentication-failed"))
  }

  private mutating func admit(
    _ user: FakePortalUser, as name: String, _ request: LoopbackRequest
  ) -> LoopbackReply {
    let isRemembered = request.formValue("rememberMe") == "true"
    var cookies = PortalCookies(at: wall)
    cookies.setSession(beginSession(of: user.userID).id)
    cookies.set("COMPANY_ID", String(user.companyID), forYear: isRemembered)
    cookies.set("ID", cipher(), forYear: isRemembered)
    cookies.setCommon()
    if isRemembered {
      cookies.set("LOGIN", name, forYear: true)
      if switches.setsPasswordCookie {
        cookies.set("PASSWORD", cipher(), forYear: true)
      }
      cookies.set("REMEMBER_ME", "true", forYear: true)
      cookies.set("SCREEN_NAME", cipher(), forYear: true)
    }
    let target = request.formValue("redirect") ?? ""
    let isLocal = target.hasPrefix("/") && !target.hasPrefix("//")
    return cookies.on(.redirect(to: isLocal ? target : "/c"))
  }

  private mutating func cipher() -> String {
    issue(32, of: "0123456789abcdef")
  }

  /// The page with the form, which brings the browser back to where it came from.
  private func loginPage(from redirect: String?) -> String {
    let portlet =
      switches.version == .v62 ? "58" : "com_liferay_login_web_portlet_LoginPortlet"
    let back = redirect.map { "&redirect=\(PercentText.encode($0))" } ?? ""
    return "/web/guest?p_p_id=\(portlet)&p_p_lifecycle=0\(back)"
  }

  /// `GET /c/portal/logout`: ends the session and takes the login's cookies back.
  mutating func logOut(_ visit: inout FakePortalRequest) -> LoopbackReply {
    if let session = self.session(of: visit.request) {
      visit.recognise(session.userID, by: .session)
      sessions[session.id] = nil
    }
    var cookies = PortalCookies(at: wall)
    for name in ["COMPANY_ID", "GUEST_LANGUAGE_ID", "ID", "PASSWORD", "REMEMBER_ME"] {
      cookies.expire(name)
    }
    if visit.request.cookie("REMEMBER_ME") != "true" { cookies.expire("LOGIN") }
    return cookies.on(.redirect(to: "/"))
  }
}
