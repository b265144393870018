public import GatebookCrypto

extension LoginMethod {
  /// A session of a Fusion client gateway, made by the web application before it.
  ///
  /// The answer's `sessionid` is for the communication client: `SessionBook.gatewaySession(of:)`
  /// gives it. The server tells `voiceUser` and `voiceDomain`, which become attributes; so does
  /// `sessionRef`, which tells one session from another without showing its id.
  ///
  /// Source: FCSDK for iOS, sample client, login.
  ///
  /// - Parameters:
  ///   - gateway: Where, and with which settings.
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
