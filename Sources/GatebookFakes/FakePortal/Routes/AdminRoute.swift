internal import GatebookSystem

/// `POST /admin/*`: control from another process, in form fields; no fault and no proxy applies to
/// it.
struct AdminRoute {
  let work: FakeServerWork<PortalState>
  let request: LoopbackRequest

  /// Does what was asked, or says why not with status 400.
  func answer() -> LoopbackReply {
    guard request.method == "POST" else { return refusal("Admin requests are made with POST.") }
    switch request.path {
    case "/admin/users": return changeUser()
    case "/admin/switches": return setSwitches()
    case "/admin/faults": return addFault()
    case "/admin/faults/clear": work.server.withLock { $0.faults = FaultSchedule() }
    case "/admin/applications": return changeApplication()
    case "/admin/consumers": return changeConsumer()
    case "/admin/tokens/revoke":
      let userID = number("userId")
      work.state.withLock { $0.revokeTokens(of: userID) }
    case "/admin/sessions/end":
      let userID = number("userId")
      work.state.withLock { $0.endSessions(of: userID) }
    case "/admin/misreport":
      guard let userID = number("userId") else { return refusal("userId is missing.") }
      let times = number("times").map { Int($0) } ?? 1
      work.state.withLock { $0.misreport(userID, times: times) }
    case "/admin/clock":
      guard let seconds = number("advance") else { return refusal("advance is missing.") }
      work.state.withLock { $0.advance += .seconds(seconds) }
    case "/admin/log": return .json(AdminLog.json(of: FakeLiferayPortal.requests(work)))
    case "/admin/log/clear": work.server.withLock { $0.requests = [] }
    default: return refusal("There is no such admin route.", status: 404)
    }
    return .json("{}")
  }

  private func changeUser() -> LoopbackReply {
    guard let userID = number("userId") else { return refusal("userId is missing.") }
    return work.state.withLock { state in
      var user =
        state.user(userID) ?? FakePortalUser(userID, "user\(userID)", password: "\(userID)")
      user.screenName = value("screenName") ?? user.screenName
      user.emailAddress = value("emailAddress") ?? user.emailAddress
      user.password = value("password") ?? user.password
      user.companyID = number("companyId") ?? user.companyID
      user.firstName = value("firstName") ?? user.firstName
      user.lastName = value("lastName") ?? user.lastName
      user.jobTitle = value("jobTitle") ?? user.jobTitle
      user.isAdministrator = value("admin").map { $0 == "true" } ?? user.isAdministrator
      if let lockout = value("lockout") {
        user.isLockedOut = lockout == "true"
        user.failedLoginAttempts = 0
      }
      state.users = state.users.filter { $0.userID != userID } + [user]
      return .json("{}")
    }
  }

  private func changeApplication() -> LoopbackReply {
    guard let clientID = value("clientId") else { return refusal("clientId is missing.") }
    let grants = list("grants")?.map { FakePortalApplication.Grant(rawValue: $0) }
    guard grants?.contains(nil) != true else { return refusal("grants names no grant.") }
    let (secret, redirectURIs, scopes) = (value("secret"), list("redirectUris"), list("scopes"))
    work.state.withLock { state in
      var application = state.oauth2.application(clientID) ?? FakePortalApplication(clientID)
      if let secret { application.secret = secret.isEmpty ? nil : secret }
      if let grants { application.grants = Set(grants.compactMap(\.self)) }
      application.redirectURIs = redirectURIs ?? application.redirectURIs
      application.scopes = scopes ?? application.scopes
      state.oauth2.applications.removeAll { $0.clientID == clientID }
      state.oauth2.applications.append(application)
    }
    return .json("{}")
  }

  private func changeConsumer() -> LoopbackReply {
    guard let key = value("key"), let secret = value("secret") else {
      return refusal("key or secret is missing.")
    }
    work.state.withLock { state in
      state.oauth1.consumers.removeAll { $0.key == key }
      state.oauth1.consumers.append(FakePortalConsumer(key, secret: secret))
    }
    return .json("{}")
  }

  private func setSwitches() -> LoopbackReply {
    work.state.withLock { state in
      var switches = state.switches
      for pair in request.text.split(separator: "&") {
        let name = PercentText.decode(pair.prefix { $0 != "=" }, plusIsBlank: true)
        guard switches.set(name, to: request.formValue(name) ?? "") else {
          return refusal("\(name) is no switch, or not with this value.")
        }
      }
      state.switches = switches
      return .json("{}")
    }
  }

  private func addFault() -> LoopbackReply {
    guard let fault = AdminFault(request, work).fault else { return refusal("That is no fault.") }
    guard let route = value("route") else { return refusal("route is missing.") }
    let times = value("times") ?? "1"
    guard times == "always" || Int(times) != nil else { return refusal("times is no count.") }
    work.server.withLock {
      $0.faults.append(fault, times: Int(times)) { request in
        LoopbackFault.fits(route == "*" ? nil : route, request.path)
      }
    }
    return .json("{}")
  }

  private func list(_ name: String) -> [String]? {
    value(name)?.split(separator: " ").map(String.init)
  }

  private func value(_ name: String) -> String? { request.formValue(name) }

  private func number(_ name: String) -> Int64? { value(name).flatMap { Int64($0) } }

  private func refusal(_ text: String, status: Int = 400) -> LoopbackReply {
    .text("\(PortalState.page.name): \(text)\n", status: status)
  }
}
