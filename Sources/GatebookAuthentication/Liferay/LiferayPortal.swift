package import GatebookEvents

/// The settings of a Liferay portal, for one account.
///
/// Source: Liferay Screens, server context (`server`, `version`, `companyId`, `groupId`).
public struct LiferayPortal: Hashable, Sendable {
  /// The portal's release, as far as a client must know it.
  public enum Version: Int, Hashable, Sendable {
    /// Liferay 6.2: errors with status 200; the current user through the Screens plug-in.
    case v62 = 62
    /// Liferay 7 and newer.
    case v7 = 70
  }

  /// The portal's URL, including its own path; with or without the last `/`.
  public var server: HTTPURL
  /// The portal instance; 0 takes it from the user's first site.
  public var companyID: Int64
  /// The site that an app uses; Gatebook stores it but does not send it.
  public var groupID: Int64
  /// The portal's release.
  public var version: Version

  /// Describes a portal.
  ///
  /// - Parameters:
  ///   - server: The portal's URL.
  ///   - companyID: The portal instance; 0 takes it.
  ///   - groupID: The site that an app uses; 0 for none.
  ///   - version: The portal's release.
  public init(
    server: HTTPURL, companyID: Int64 = 0, groupID: Int64 = 0, version: Version = .v7
  ) {
    self.server = server
    self.companyID = companyID
    self.groupID = groupID
    self.version = version
  }

  /// The URLs of this portal; other applications may live beside it on the same host.
  var space: ProtectionSpace { ProtectionSpace(below: server) }

  /// The URL of a path of the portal.
  ///
  /// - Parameter path: Without a leading `/`, such as `c/portal/login`.
  /// - Returns: The absolute URL.
  /// - Throws: `configuration.invalid` for a server URL with a query.
  func url(_ path: String) throws(GatebookError) -> HTTPURL {
    guard server.query == nil, let url = HTTPURL("\(server.origin)\(space.folder)\(path)") else {
      throw .setting(
        "server", "a portal's URL must not have a query.",
        remedy: "Give scheme, host, port and the portal's path, such as https://portal.example.")
    }
    return url
  }

  /// Whether a URL is one of the portal's JSON web services.
  func isWebService(_ url: HTTPURL) -> Bool {
    url.origin == server.origin && url.path.utf8.starts(with: "\(space.folder)api/jsonws".utf8)
  }

  /// A person as far as known before the portal has answered.
  ///
  /// - Parameter name: The name as typed; empty where who logs in says so in the browser.
  /// - Returns: The person.
  func person(named name: String) -> Person {
    person(id: name, companyID: companyID, loginName: name)
  }

  /// A person of the portal.
  func person(id: String, companyID: Int64, loginName: String) -> Person {
    Person(
      family: LoginMethod.liferayFamily, server: server.origin, tenant: String(companyID),
      userID: id, loginName: loginName)
  }

  /// Refuses what no portal can have, before anything is sent.
  func check() throws(GatebookError) {
    for (name, number) in [("companyId", companyID), ("groupId", groupID)] where number < 0 {
      throw .setting(name, "it is negative.", remedy: "Leave it out or give its number.")
    }
    _ = try url("")
  }
}

extension LiferayPortal: StoredRecord {
  /// Where the portal is, and which.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    companyID = try facts.required("companyId", kept?.companyID)
    groupID = try facts.required("groupId", kept?.groupID)
    server = try facts.required("server", kept?.server)
    version = try facts.required("version", kept?.version)
  }
}

extension LiferayPortal.Version: Storable {}

/// How to log in to a portal: `.basic(…)`, `.cookie(…)`, `.oauth(…)`, `.oauth2Redirect(…)` or
/// `.oauth2Password(…)`; each mode has its own function.
///
/// A session never changes its mode automatically.
///
/// Source: Login Screenlet, `loginMode`.
public struct LiferayLogin: Sendable {
  let method: @Sendable (LiferayPortal) -> LoginMethod
}

extension LoginMethod {
  /// The family of all Liferay modes: the same person is the same account in each.
  static let liferayFamily = "liferay"

  /// A login to a Liferay portal.
  ///
  /// - Parameters:
  ///   - portal: The portal.
  ///   - login: The mode with its user name and password.
  /// - Returns: The method, for one login.
  public static func liferay(_ portal: LiferayPortal, _ login: LiferayLogin) -> LoginMethod {
    login.method(portal)
  }
}

/// What a web-service call is for: the same answer means another failure in each.
enum LiferayPurpose {
  /// A login by HTTP Basic.
  case basicLogin
  /// A login by form and cookies.
  case cookieLogin
  /// Reading who the bearer of fresh tokens is.
  case tokenLogin
  /// Asking whether a session still lives.
  case verification
}

/// A 64-bit number of a portal: a JSON number in 6.2, a decimal text in 7.
enum LiferayNumber {
  /// The number; `nil` for anything else.
  static func read(_ value: FactValue) -> Int64? {
    value.integer ?? value.text.flatMap { Int64($0) }
  }
}
