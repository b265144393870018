public import GatebookCrypto

extension LiferayLogin {
  /// HTTP Basic on every request; the login reads the user's own record.
  ///
  /// - Parameters:
  ///   - user: The user, identified as the portal is configured.
  ///   - password: The password.
  ///   - verifyIdentity: Whether the portal must also name the caller as this user, because an administrator
  ///     can read other users' records. `nil`: on from 7, off for 6.2, where the service may be missing.
  /// - Returns: The mode.
  public static func basic(
    _ user: LiferayUser, password: Secret, verifyIdentity: Bool? = nil
  ) -> LiferayLogin {
    LiferayLogin { portal in
      let login = LiferayBasicLogin(
        portal: portal, user: user, password: password,
        verifiesIdentity: verifyIdentity ?? (portal.version != .v62))
      return LoginMethod(
        name: LiferayBasicProof.method, person: login.person, sendsPassword: true,
        origin: portal.server.origin, password: password, settings: login.settings
      ) {
        LiferayBasicAuthenticator(login)
      }
    }
  }
}
