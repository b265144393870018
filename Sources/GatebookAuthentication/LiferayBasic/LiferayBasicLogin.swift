public import GatebookCrypto
internal import GatebookEvents

/// What a Liferay login by HTTP Basic needs.
struct LiferayBasicLogin: Sendable {
  /// The portal.
  var portal: LiferayPortal
  /// Who.
  var user: LiferayUser
  /// The password.
  var password: Secret
  /// Whether the portal is asked in the same batch for whom it takes the caller.
  var verifiesIdentity: Bool

  /// The person as far as known before the portal has answered.
  var person: Person { portal.person(named: user.name) }

  /// What the login was asked with; no secrets.
  var settings: Facts {
    [
      "by": .text(user.kind), "portal": .object(portal.record), "user": .text(user.name),
      "verifyIdentity": .bool(verifiesIdentity),
    ]
  }

  /// What would only be found out by a useless request with a password in it.
  ///
  /// - Throws: `configuration.invalid` with the setting's name.
  func check() throws(GatebookError) {
    try portal.check()
    try user.name.checkAsSetting("user", remedy: "Give the login name.")
    if case .userID(let id) = user, id <= 0 {
      throw .setting("user", "a user id must be a number above 0.", remedy: "Give the user id.")
    }
    try password.checkAsPassword()
    _ = try credentials()
  }

  private func credentials() throws(GatebookError) -> BasicCredentials {
    try BasicCredentials(user: user.name, password: password.text)
  }

  /// A request with the credentials when its URL is one of the portal's, else without.
  func authorise(_ request: HTTPRequest) -> HTTPRequest {
    guard portal.space.contains(request.url), let credentials = try? credentials() else {
      return request
    }
    return request.replacing(credentials.field)
  }
}

extension LiferayLogin {
  /// HTTP Basic on every request; the login reads the user's own record.
  ///
  /// - Parameters:
  ///   - user: The user, identified as the portal is configured.
  ///   - password: The password.
  ///   - verifyIdentity: Whether the portal must also name the caller as this user, because an
  ///     administrator can read other users' records. `nil`: on from 7, off for 6.2, where the
  ///     service may be missing.
  /// - Returns: The mode.
  public static func basic(
    _ user: LiferayUser, password: Secret, verifyIdentity: Bool? = nil
  ) -> LiferayLogin {
    LiferayLogin { portal in
      let login = LiferayBasicLogin(
        portal: portal, user: user, password: password,
        verifiesIdentity: verifyIdentity ?? (portal.version != .v62))
      return LoginMethod(
        name: LiferayBasicProof.method, person: login.person,
        origin: portal.server.origin, password: password, settings: login.settings
      ) {
        LiferayBasicAuthenticator(login)
      }
    }
  }
}
