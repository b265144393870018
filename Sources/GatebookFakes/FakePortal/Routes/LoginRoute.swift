/// `POST /c/portal/login`: the login form; GET leads to the page that has it.
enum LoginRoute: PortalRoute {
  static func answer(_ visit: inout PortalVisit, _ state: inout PortalState) -> LoopbackReply {
    let request = visit.request
    guard request.method == "POST" else {
      return .redirect(to: loginPage(state, from: request.queryValue("redirect")))
    }
    let session = state.session(of: request)
    guard request.cookie("COOKIE_SUPPORT") == "true" else {
      let page = loginPage(state, from: request.formValue("redirect"))
      return .redirect(to: "\(page)&error=cookies-not-supported")
    }
    if state.switches.needsTokenForLogin {
      guard let session, state.carriesToken(request, of: session) else {
        return PortalPage.error(403, "The form came without the token of its page.")
      }
    }
    // Only the form counts: a password in the query is ignored.
    let kind = request.formValue("authType").flatMap { FakePortalLoginName(rawValue: $0) }
    guard let name = request.formValue("login"), let password = request.formValue("password"),
      let user = state.authenticate(name, password, by: kind ?? state.switches.loginName)
    else { return refuse(request, session, &state) }
    if let session { state.sessions[session.id] = nil }
    visit.recognise(user.userID, by: .session)
    return admit(user, as: name, request, &state)
  }

  private static func refuse(
    _ request: LoopbackRequest, _ session: FakePortalSession?, _ state: inout PortalState
  ) -> LoopbackReply {
    var cookies = PortalCookies(at: state.wall)
    if session == nil { cookies.setSession(state.beginSession(of: nil).id) }
    let page = loginPage(state, from: request.formValue("redirect"))
    return cookies.on(.redirect(to: "\(page)&error=authentication-failed"))
  }

  private static func admit(
    _ user: FakePortalUser, as name: String, _ request: LoopbackRequest,
    _ state: inout PortalState
  ) -> LoopbackReply {
    let isRemembered = request.formValue("rememberMe") == "true"
    var cookies = PortalCookies(at: state.wall)
    cookies.setSession(state.beginSession(of: user.userID).id)
    cookies.set("COMPANY_ID", String(user.companyID), forYear: isRemembered)
    cookies.set("ID", cipher(&state), forYear: isRemembered)
    cookies.setCommon()
    if state.switches.setsUUIDCookie { cookies.set("USER_UUID", cipher(&state)) }
    if isRemembered {
      cookies.set("LOGIN", name, forYear: true)
      if state.switches.setsPasswordCookie {
        cookies.set("PASSWORD", cipher(&state), forYear: true)
      }
      cookies.set("REMEMBER_ME", "true", forYear: true)
      cookies.set("SCREEN_NAME", cipher(&state), forYear: true)
    }
    let target = request.formValue("redirect") ?? ""
    let isLocal = target.hasPrefix("/") && !target.hasPrefix("//")
    return cookies.on(.redirect(to: isLocal ? target : "/c"))
  }

  private static func cipher(_ state: inout PortalState) -> String {
    state.issue(32, of: "0123456789abcdef")
  }

  /// The page with the form, which brings the browser back to where it came from.
  private static func loginPage(_ state: PortalState, from redirect: String?) -> String {
    let portlet =
      state.switches.version == .v62 ? "58" : "com_liferay_login_web_portlet_LoginPortlet"
    let back = redirect.map { "&redirect=\(PercentText.encode($0))" } ?? ""
    return "/web/guest?p_p_id=\(portlet)&p_p_lifecycle=0\(back)"
  }
}
