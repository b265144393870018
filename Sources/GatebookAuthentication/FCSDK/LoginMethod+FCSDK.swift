public import GatebookCrypto

extension LoginMethod {
  /// A session of a Fusion client gateway, created by the web application in front of it.
  ///
  /// The answer's `sessionid` is for the communication client: `SessionBook.gatewaySession(of:)` returns it.
  /// The answer's `voiceUser` and `voiceDomain` become attributes; so does `sessionRef`, which identifies a
  /// session without showing its id.
  ///
  /// Source: FCSDK for iOS, sample client, login.
  ///
  /// - Parameters:
  ///   - gateway: The gateway and its settings.
  ///   - user: The user name.
  ///   - password: The password.
  /// - Returns: The method, for one login.
  public static func fcsdk(
    _ gateway: FCSDKGateway, user: String, password: Secret
  ) -> LoginMethod {
    let login = FCSDKLogin(gateway: gateway, user: user, password: password)
    return LoginMethod(
      name: FCSDKProof.method, person: login.person, sendsPassword: true,
      origin: gateway.loginURL.origin, password: password, settings: login.settings
    ) {
      FCSDKAuthenticator(login)
    }
  }
}
