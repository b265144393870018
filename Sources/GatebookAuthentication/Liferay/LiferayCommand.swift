internal import GatebookEvents

/// One command of a JSON-WS batch.
struct LiferayCommand {
  private let path: String
  private let arguments: Facts

  private init(_ path: String, _ arguments: Facts = [:]) {
    self.path = path
    self.arguments = arguments
  }

  /// The user of an email address.
  static func user(email: String, companyID: Int64) -> LiferayCommand {
    LiferayCommand(
      "/user/get-user-by-email-address",
      ["companyId": .integer(companyID), "emailAddress": .text(email)])
  }

  /// The user of a screen name.
  static func user(screenName: String, companyID: Int64) -> LiferayCommand {
    LiferayCommand(
      "/user/get-user-by-screen-name",
      ["companyId": .integer(companyID), "screenName": .text(screenName)])
  }

  /// The user of an id.
  static func user(id: Int64) -> LiferayCommand {
    LiferayCommand("/user/get-user-by-id", ["userId": .integer(id)])
  }

  /// The user whom the portal takes the caller for; 6.2 needs the Screens plug-in for it.
  static func currentUser(_ version: LiferayPortal.Version) -> LiferayCommand {
    switch version {
    case .v62: LiferayCommand("/screens-web.screensuser/get-current-user")
    case .v7: LiferayCommand("/user/get-current-user")
    }
  }

  /// The caller's sites: their `companyId` is the caller's.
  static let sites = LiferayCommand("/group/get-user-sites-groups")

  /// The request of a batch; always an array, also for one command.
  ///
  /// Not repeatable: a wrong password in its header would be counted twice.
  ///
  /// - Throws: `configuration.invalid` for a server URL with a query.
  static func request(
    _ commands: [LiferayCommand], to portal: LiferayPortal
  ) throws(GatebookError) -> HTTPRequest {
    var body: [UInt8] = [UInt8(ascii: "[")]
    for command in commands {
      if body.count > 1 { body.append(UInt8(ascii: ",")) }
      body.append(contentsOf: ([command.path: .object(command.arguments)] as Facts).encoded)
    }
    body.append(UInt8(ascii: "]"))
    return HTTPRequest(
      "POST", try portal.url("api/jsonws/invoke"),
      fields: [HTTPField("Content-Type", "application/json; charset=utf-8")], body: body,
      limits: HTTPLimits(connect: .seconds(15), total: .seconds(15), body: 1 << 20))
  }
}
