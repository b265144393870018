/// `GET /`, `GET /web/guest` and `GET /c`: themed pages, for guests too.
enum PageRoute: PortalRoute {
  static func answer(_ visit: inout PortalVisit, _ state: inout PortalState) -> LoopbackReply {
    guard ["GET", "HEAD"].contains(visit.request.method) else {
      return PortalPage.error(405, "A page is read with GET.")
    }
    var cookies = PortalCookies(at: state.wall)
    if visit.request.cookie("COOKIE_SUPPORT") == nil { cookies.setCommon() }
    let known = state.session(of: visit.request)
    var session = known ?? state.beginSession(of: nil)
    visit.recognise(session.userID, by: .session)
    let isHop = visit.request.path == "/c"
    if isHop, known != nil, state.switches.renewsSessionOnRedirect {
      session = state.renew(session)
    }
    if session.id != known?.id { cookies.setSession(session.id) }
    guard !isHop else { return cookies.on(.redirect(to: "/web/guest")) }
    let token = state.switches.omitsToken ? nil : session.csrfToken
    return cookies.on(PortalPage.themed(token: token, text(visit, state), form(visit, token)))
  }

  private static func form(_ visit: PortalVisit, _ token: String?) -> PortalForm? {
    guard visit.request.queryValue("p_p_id") != nil else { return nil }
    return .login(token: token, redirect: visit.request.queryValue("redirect") ?? "")
  }

  private static func text(_ visit: PortalVisit, _ state: PortalState) -> String {
    if visit.request.queryValue("error") != nil { return "Authentication failed." }
    if visit.request.queryValue("p_p_id") != nil { return "Please log in." }
    guard let user = state.user(visit.userID) else { return "You are a guest." }
    return "You are logged in as user \(user.userID)."
  }
}
