/// The JSON-WS commands of a fake portal, run for one caller.
struct PortalCommands {
  let state: PortalState
  let caller: FakePortalUser?

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
    case "/screens-web.screensuser/get-current-user" where state.switches.version == .v62:
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
    return PortalUserRecord(user: user, version: state.switches.version).json
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

/// Why a JSON-WS call failed, told as each release tells it.
struct PortalException: Error {
  var status: Int
  var type: String
  var message: String
  /// What 6.2 says in place of the message.
  var flat: String?

  /// A guest, or somebody who counts as one, called.
  static func accessDenied(to service: String) -> PortalException {
    PortalException(
      status: 403, type: "java.lang.SecurityException",
      message: "Access denied to com.liferay.portal.kernel.service.\(service)",
      flat: "Authenticated access required")
  }

  /// A user asked for what is not his.
  static func notAllowed(_ service: String) -> PortalException {
    let type = "security.auth.PrincipalException"
    return PortalException(
      status: 403, type: "com.liferay.portal.kernel.\(type)",
      message: "Access denied to com.liferay.portal.kernel.service.\(service)",
      flat: "com.liferay.portal.\(type)")
  }

  /// Nobody has this key.
  static func noSuchUser(_ key: String) -> PortalException {
    PortalException(
      status: 404, type: "com.liferay.portal.kernel.exception.NoSuchUserException",
      message: "No User exists with the \(key)")
  }

  /// There is no such command, or not with these arguments.
  static func noSuchCommand(_ path: String) -> PortalException {
    PortalException(
      status: 404,
      type: "com.liferay.portal.kernel.jsonwebservice.NoSuchJSONWebServiceException",
      message: "No JSON web service action associated with path \(path) and method POST for portal")
  }

  /// The call came without the CSRF token of its session.
  static func tokenMissing(of userID: Int64) -> PortalException {
    let action = "com.liferay.portal.jsonwebservice.JSONWebServiceServiceAction"
    return PortalException(
      status: 403,
      type: "com.liferay.portal.kernel.security.auth.PrincipalException$MustHaveSessionCSRFToken",
      message: "User \(userID) session does not have a CSRF token for \(action)")
  }

  /// Something else went wrong inside the portal.
  static func failure(_ message: String) -> PortalException {
    PortalException(
      status: 500, type: "java.lang.RuntimeException", message: message)
  }

  /// The answer: 200 and flat in 6.2, a status and details later.
  func reply(as version: FakePortalVersion) -> LoopbackReply {
    guard version != .v62 else {
      return .json(["exception": .string(flat ?? message)])
    }
    let answer: PlainJSON = [
      "error": ["message": .string(message), "type": .string(type)],
      "exception": .string(message), "throwable": .string("\(type): \(message)"),
    ]
    return .json(answer, status: status, fields: ["Cache-Control": "no-cache"])
  }
}
