internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

/// A login to a gateway that works, and its outcome.
enum GatewayLogin {
  static let site = "https://gateway.example.test:8443"
  static let accepted = HTTPReply.json(
    200, #"{"sessionid":"cipher/1","voiceUser":"1001","voiceDomain":"voice.example.test"}"#)

  /// A gateway.
  static func gateway(
    path: String = FCSDKGateway.samplePath, useCookies: Bool = true, field: HTTPField? = nil
  ) throws -> FCSDKGateway {
    try FCSDKGateway(
      server: "gateway.example.test", path: path, useCookies: useCookies, field: field)
  }

  /// A login.
  static func method(
    user: String = "ada", password: String = "rabbit", useCookies: Bool = true,
    field: HTTPField? = nil
  ) throws -> LoginMethod {
    .fcsdk(
      try gateway(useCookies: useCookies, field: field), user: user, password: Secret(password))
  }

  /// An answer that accepts, with a cookie.
  static func answer(session: String, cookie: String = "s-1") -> HTTPReply {
    HTTPReply(
      status: 200,
      fields: [HTTPField("Set-Cookie", "JSESSIONID=\(cookie); Path=/csdk-sample; HttpOnly")],
      body: Facts(dictionaryLiteral: ("sessionid", .text(session))).encoded)
  }

  /// What a login with this session id proposes.
  static func outcome(
    session: String = "abc", useCookies: Bool = true, field: HTTPField? = nil
  ) throws -> Outcome {
    try Dialogue.outcome(
      of: method(useCookies: useCookies, field: field), answer(session: session))
  }
}
