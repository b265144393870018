package import GatebookEvents

/// An app as it is registered at a MobileFirst server, and how to reach that server.
///
/// Source: MobileFirst 8.0, client registration. Details without a public document are marked
/// (inferred).
public struct MobileFirstApp: Hashable, Sendable {
  /// The only version of the protocol that is implemented.
  public static let implementedProtocolVersion: Int64 = 1

  /// The server with its context path, such as `https://host:9443/mfp`; `/api` is added here.
  public var server: HTTPURL
  /// The application's id, such as `com.example.app`.
  public var applicationID: String
  /// The application's version; `nil` for applications without one.
  public var version: String?
  /// The platform under which the application is registered at the server: `android`, `ios`, `web`,
  /// `windows`.
  public var platform: String
  /// The data about the device.
  public var device: MobileFirstDevice
  /// `sdk_protocol_version`; only 1 is implemented, and servers that support 2 still accept 1.
  public var protocolVersion: Int64
  /// Another server for `/az/v1/`, up to and without `/az`; `nil` for the server itself.
  public var authorizationServer: HTTPURL?
  /// The total time of the requests of one flow; the time that a user needs does not count.
  public var loginTimeout: Duration
  /// How long an unanswered challenge blocks later calls.
  ///
  /// After that, the next call replaces it and the waiting ones end with `challenge.timedOut`. A
  /// flow also waits that long for a handler that does not return.
  public var challengeTimeout: Duration
  /// `Accept-Language` of every request; `nil` sends none.
  public var language: String?

  /// Makes the settings of an app.
  ///
  /// - Parameters:
  ///   - server: The server with its context path.
  ///   - applicationID: The application's id.
  ///   - version: The application's version.
  ///   - platform: The platform under which the application is registered.
  public init(
    server: HTTPURL, applicationID: String, version: String? = nil, platform: String = "android"
  ) {
    self.server = server
    self.applicationID = applicationID
    self.version = version
    self.platform = platform
    device = MobileFirstDevice()
    protocolVersion = Self.implementedProtocolVersion
    authorizationServer = nil
    loginTimeout = .seconds(10)
    challengeTimeout = .seconds(300)
    language = nil
  }

  /// Refuses settings that cannot work.
  ///
  /// - Throws: `configuration.invalid`.
  package func check() throws(GatebookError) {
    guard protocolVersion == Self.implementedProtocolVersion else {
      throw .setting(
        "protocolVersion", "Gatebook supports only version 1.",
        remedy: "Use 1: servers that support 2 also accept it.")
    }
    for (name, text) in [("applicationID", applicationID), ("platform", platform)] {
      guard !text.isEmpty, !text.contains("$") else {
        throw .setting(name, "it is empty or contains a dollar sign.", remedy: "Correct it.")
      }
    }
    guard loginTimeout > .zero else {
      throw .setting(
        "loginTimeout", "it must be above zero.", remedy: "Give a positive number of seconds.")
    }
  }

  /// The issuer of this app's assertions (section 6.3): `<appId>$<platform>[$<version>]`.
  package var issuer: String {
    [applicationID, platform, version].compactMap { $0 }.joined(separator: "$")
  }

  /// A URL of the server's own interface.
  package func url(_ route: String) -> HTTPURL {
    Self.join(server, "/api/\(route)")
  }

  /// A URL of the authorization endpoints.
  package func authorizationURL(_ route: String) -> HTTPURL {
    authorizationServer.map { Self.join($0, "/az/v1/\(route)") } ?? url("az/v1/\(route)")
  }

  private static func join(_ base: HTTPURL, _ tail: String) -> HTTPURL {
    var text = base.origin.description + base.path
    while text.hasSuffix("/") { text.removeLast() }
    // The routes are plain: a valid base stays valid.
    return HTTPURL(text + tail) ?? base
  }

  /// The origins to which a flow sends: the server's and the authorisation server's.
  package var origins: [Origin] {
    [server.origin] + (authorizationServer.map { [$0.origin] } ?? [])
  }

  /// The kind of person of this app's accounts; its name is stored in events.
  package static let method = "mobilefirst"

  /// A user of this app.
  package func person(_ userID: String, loginName: String) -> Person {
    Person(
      family: Self.method, server: server.origin, tenant: applicationID, client: applicationID,
      userID: userID, loginName: loginName)
  }
}

extension MobileFirstApp {
  /// What a login is asked with; no secrets.
  ///
  /// - Parameters:
  ///   - check: The check that names the user.
  ///   - user: The name that is typed.
  ///   - rememberMe: Whether the server remembers the login.
  /// - Returns: The settings.
  package func settings(check: String, user: String? = nil, rememberMe: Bool = false) -> Facts {
    [
      "app": .object(record), "check": .text(check), "rememberMe": .bool(rememberMe),
      "user": .optional(user),
    ]
  }
}

extension MobileFirstApp: StoredRecord {
  /// The settings, to be kept with a session.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    applicationID = try facts.required("application", kept?.applicationID)
    authorizationServer = facts.optional("authorizationServer", kept?.authorizationServer)
    challengeTimeout = try facts.required("challengeTimeout", kept?.challengeTimeout)
    device = try facts.required("device", kept?.device)
    language = facts.optional("language", kept?.language)
    loginTimeout = try facts.required("loginTimeout", kept?.loginTimeout)
    platform = try facts.required("platform", kept?.platform)
    protocolVersion = try facts.required("protocol", kept?.protocolVersion)
    server = try facts.required("server", kept?.server)
    version = facts.optional("version", kept?.version)
  }
}
