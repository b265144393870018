/// Why a JSON-WS call failed, told as each release tells it.
struct PortalException: Error {
  var status: Int
  var type: String
  var message: String
  /// What 6.2 says in place of the message.
  var flat: String?
  var rootCause: (type: String, message: String)?

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
      status: 500, type: "java.lang.RuntimeException", message: message,
      rootCause: ("java.sql.SQLException", "inner"))
  }

  /// The answer: 200 and flat in 6.2, a status and details later.
  func reply(as version: FakePortalVersion) -> LoopbackReply {
    guard version != .v62 else {
      return .json(["exception": .string(flat ?? message)])
    }
    var answer: PlainJSON = [
      "error": Self.detail(type, message), "exception": .string(message),
      "throwable": .string("\(type): \(message)"),
    ]
    answer["rootCause"] = rootCause.map { Self.detail($0.type, $0.message) }
    return .json(answer, status: status, fields: ["Cache-Control": "no-cache"])
  }

  private static func detail(_ type: String, _ message: String) -> PlainJSON {
    ["message": .string(message), "type": .string(type)]
  }
}
