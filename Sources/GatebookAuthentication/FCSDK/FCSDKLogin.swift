public import GatebookCrypto
internal import GatebookEvents

/// What a login to a gateway's web application needs.
struct FCSDKLogin: Sendable {
  /// The gateway.
  var gateway: FCSDKGateway
  /// The user name.
  var user: String
  /// The password; `nil` for a session, which never needs it.
  var password: Secret?

  /// The person: the server knows them by the name that was typed, and by no other.
  var person: Person {
    Person(
      family: FCSDKProof.method, server: gateway.loginURL.origin, userID: user, loginName: user)
  }

  /// The settings of the login, without the header field, which may be a key.
  var settings: Facts {
    [
      "gateway": .object(gateway.settings), "hasField": gateway.field == nil ? nil : true,
      "user": .text(user),
    ]
  }

  /// What would only be found out by a useless request with a password in it.
  ///
  /// - Throws: `configuration.invalid` with the setting's name.
  func check() throws(GatebookError) {
    try user.checkAsSetting("user", remedy: "Give the user name.")
    try (password ?? Secret("")).checkAsPassword()
  }

  /// The login; sent once, a wrong password must not be counted twice.
  ///
  /// The body is exactly `{"username":"…","password":"…"}`, in this order.
  var request: HTTPRequest {
    var body = Array(#"{"username":"#.utf8)
    body += FactValue.text(user).encoded
    body += #","password":"#.utf8
    body += FactValue.text(password?.text ?? "").encoded
    body.append(UInt8(ascii: "}"))
    return gateway.decorate(
      HTTPRequest(
        "POST", gateway.loginURL, fields: [.json], body: body, isRepeatable: false,
        limits: .login))
  }
}

extension LoginMethod {
  /// A session of a Fusion client gateway, created by the web application in front of it.
  ///
  /// The answer's `sessionid` is for the communication client: `SessionBook.gatewaySession(of:)`
  /// returns it. The answer's `voiceUser` and `voiceDomain` become attributes; so does
  /// `sessionRef`, which identifies a session without showing its id.
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
      name: FCSDKProof.method, person: login.person,
      origin: gateway.loginURL.origin, password: password, settings: login.settings
    ) {
      FCSDKAuthenticator(login)
    }
  }
}
