/// `GET /c/portal/logout`: ends the session and takes the login's cookies back.
enum LogoutRoute: PortalRoute {
  static func answer(_ visit: inout PortalVisit, _ state: inout PortalState) -> LoopbackReply {
    if let session = state.session(of: visit.request) {
      visit.recognise(session.userID, by: .session)
      state.sessions[session.id] = nil
    }
    var cookies = PortalCookies(at: state.wall)
    for name in ["COMPANY_ID", "GUEST_LANGUAGE_ID", "ID", "PASSWORD", "REMEMBER_ME"] {
      cookies.expire(name)
    }
    if visit.request.cookie("REMEMBER_ME") != "true" { cookies.expire("LOGIN") }
    return cookies.on(.redirect(to: "/"))
  }
}
