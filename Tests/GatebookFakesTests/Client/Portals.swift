import GatebookFakes
import GatebookTestSupport

/// A started portal with a stopped clock.
func startedPortal(
  _ version: FakePortalVersion = .v73, clock: FixedClock = FixedClock(),
  _ change: (inout FakePortalSwitches) -> Void = { _ in }
) throws -> FakeLiferayPortal {
  var switches = FakePortalSwitches(version: version)
  change(&switches)
  let portal = try FakeLiferayPortal(switches: switches, clock: clock)
  try portal.start()
  return portal
}

/// The calls that the tests make.
enum Call {
  static let currentUser = #"[{"/user/get-current-user":{}}]"#
  static let currentUser62 = #"[{"/screens-web.screensuser/get-current-user":{}}]"#
  static let sites = #"[{"/group/get-user-sites-groups":{}}]"#

  static func byEmail(_ user: FakePortalUser, company: Int64? = nil) -> String {
    let arguments =
      #"{"companyId":\#(company ?? user.companyID),"emailAddress":"\#(user.emailAddress)"}"#
    return #"[{"/user/get-user-by-email-address":\#(arguments)}]"#
  }

  static func byScreenName(_ user: FakePortalUser) -> String {
    let arguments = #"{"companyId":\#(user.companyID),"screenName":"\#(user.screenName)"}"#
    return #"[{"/user/get-user-by-screen-name":\#(arguments)}]"#
  }

  static func byID(_ userID: Int64) -> String {
    #"[{"/user/get-user-by-id":{"userId":\#(userID)}}]"#
  }
}
