import Gatebook
import GatebookFakes

/// The ways in which a person logs in to the fake portal.
enum PortalMode: String, CaseIterable, Sendable {
  case email, screenName, userID, cookie, oauth1, oauth2Redirect, oauth2Password

  static let basics: [PortalMode] = [.email, .screenName, .userID]
  static let tokens: [PortalMode] = [.oauth2Redirect, .oauth2Password]
  static let pages: [PortalMode] = [.oauth1, .oauth2Redirect]

  /// Whether the person visits a page of the portal.
  var opensPage: Bool { Self.pages.contains(self) }

  /// The name of the method in the book.
  var method: String {
    switch self {
    case .email, .screenName, .userID: "liferay-basic"
    case .cookie: "liferay-cookie"
    case .oauth1: "liferay-oauth1"
    case .oauth2Redirect: "liferay-oauth2-redirect"
    case .oauth2Password: "liferay-oauth2-password"
    }
  }

  /// How the portal knows a caller in this mode.
  var scheme: FakePortalRequest.Scheme {
    switch self {
    case .email, .screenName, .userID: .basic
    case .cookie: .session
    case .oauth1: .oauth1
    case .oauth2Redirect, .oauth2Password: .bearer
    }
  }

  /// The events of the first login.
  var loginKinds: [String] {
    ["login.started"] + (opensPage ? ["challenge.received", "challenge.answered"] : [])
      + ["account.added", "login.succeeded", "attributes.changed"]
      + (self == .cookie ? ["cookies.changed"] : []) + ["account.switched"]
  }

  /// The events of the first call after a restart of book and portal: a portal that was down has
  /// forgotten its sessions, so cookie mode logs in again.
  var resumptionKinds: [String] {
    self == .cookie
      ? ["refresh.started", "refresh.succeeded", "cookies.changed"] : ["session.verified"]
  }
}
