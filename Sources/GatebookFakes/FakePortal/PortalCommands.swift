/// The JSON-WS commands of a fake portal, run for one caller.
struct PortalCommands {
  let state: PortalState
  let caller: FakePortalUser?
  let misreported: Int64?

  /// Runs one command.
  ///
  /// - Parameters:
  ///   - path: The command's path.
  ///   - arguments: An object.
  /// - Returns: The result.
  /// - Throws: Why it failed.
  func run(_ path: String, _ arguments: PlainJSON) throws(PortalException) -> PlainJSON {
    switch path {
    case "/user/get-user-by-email-address":
      let key = ("emailAddress", FakePortalLoginName.emailAddress)
      return try user(path, "UserService#getUserByEmailAddress", arguments, by: key)
    case "/user/get-user-by-screen-name":
      let key = ("screenName", FakePortalLoginName.screenName)
      return try user(path, "UserService#getUserByScreenName", arguments, by: key)
    case "/user/get-user-by-id":
      guard let userID = arguments["userId"]?.integer else {
        throw PortalException.noSuchCommand(path)
      }
      let found = state.user(userID)
      return try record(found, "UserService#getUserById", "primary key \(userID)")
    case "/user/get-current-user" where state.switches.version != .v62:
      return try record(caller, "UserService#getCurrentUser", "")
    case "/screens-web.screensuser/get-current-user"
    where state.switches.version == .v62 && state.switches.hasScreensPlugin:
      return try record(caller, "UserService#getCurrentUser", "")
    case "/group/get-user-sites-groups": return try sites()
    default: throw PortalException.noSuchCommand(path)
    }
  }

  private func user(
    _ path: String, _ service: String, _ arguments: PlainJSON,
    by key: (argument: String, kind: FakePortalLoginName)
  ) throws(PortalException) -> PlainJSON {
    guard let companyID = arguments["companyId"]?.integer,
      let name = arguments[key.argument]?.string
    else { throw PortalException.noSuchCommand(path) }
    let found = state.users.first { $0.companyID == companyID && key.kind.names($0, as: name) }
    return try record(found, service, "key {companyId=\(companyID), \(key.argument)=\(name)}")
  }

  private func record(
    _ user: FakePortalUser?, _ service: String, _ key: String
  ) throws(PortalException) -> PlainJSON {
    guard let caller else { throw PortalException.accessDenied(to: service) }
    guard let user else { throw PortalException.noSuchUser(key) }
    guard user.userID == caller.userID || caller.isAdministrator else {
      throw PortalException.notAllowed(service)
    }
    let version = state.switches.version
    return PortalUserRecord(user: user, version: version, misreported: misreported).json
  }

  private func sites() throws(PortalException) -> PlainJSON {
    let service = "GroupService#getUserSitesGroups"
    guard let caller else { throw PortalException.accessDenied(to: service) }
    let version = state.switches.version
    return .array([
      [
        "active": true, "classPK": PortalUserRecord.long(10184, version),
        "companyId": PortalUserRecord.long(caller.companyID, version),
        "friendlyURL": "/guest", "groupId": PortalUserRecord.long(10184, version),
        "name": "Guest", "site": true, "type": 1,
      ]
    ])
  }
}
