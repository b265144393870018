import Gatebook
import GatebookFakes
import GatebookTestSupport

/// A client of a fake MobileFirst server over plain sockets, as simple as the protocol allows.
final class MobileFirstDevice {
  /// One key for all devices that do not need another: making one takes a while.
  static let key = RSAKey.generate()
  static let otherKey = RSAKey.generate()

  let server: FakeMobileFirstServer
  let clock: FixedClock
  let key: RSAKey
  /// The client id, from the last registration.
  var id = ""

  init(_ server: FakeMobileFirstServer, _ clock: FixedClock, key: RSAKey = MobileFirstDevice.key) {
    self.server = server
    self.clock = clock
    self.key = key
  }

  /// The time of the clock in milliseconds.
  var now: Int64 { clock.now().wall.rawValue / 1000 }

  func ask(
    _ method: String, _ route: String, _ fields: [(String, String)] = [], body: String = ""
  ) -> Answer? {
    RawClient.ask(server.port, method, "/mfp/api/\(route)", fields, body: body)
  }

  func postJSON(_ route: String, _ body: String, method: String = "POST") -> Answer? {
    ask(method, route, [("Content-Type", "application/json")], body: body)
  }

  func postForm(_ route: String, _ fields: [(String, String)]) -> Answer? {
    let body = fields.map { "\($0.0)=\(Visitor.encoded($0.1))" }.joined(separator: "&")
    return ask(
      "POST", route, [("Content-Type", "application/x-www-form-urlencoded")], body: body)
  }

  // MARK: Registration

  static let payload =
    #"{"application":{"id":"com.example.app","version":"1.0","clientPlatform":"ios"},"#
    + #""device":{"id":"D1","platform":"ios 9.2","hardware":"phone"},"#
    + #""attributes":{"sdk_protocol_version":1}}"#

  @discardableResult
  func register(_ payload: String = MobileFirstDevice.payload) -> Answer? {
    let answer = postJSON("registration/v1/self", registration(payload))
    id = answer?["Location"]?.split(separator: "/").last.map(String.init) ?? ""
    return answer
  }

  /// The signed body of a registration.
  func registration(
    _ payload: String = MobileFirstDevice.payload, signedBy signer: RSAKey? = nil,
    algorithm: String = "RS256", isPadded: Bool = false
  ) -> String {
    let header = Self.base64URL(
      Array(head(kid: nil, algorithm: algorithm, isPadded: isPadded).utf8), isPadded: isPadded)
    let load = Self.base64URL(Array(payload.utf8), isPadded: isPadded)
    let signature = Self.base64URL(sign("\(header).\(load)", signer), isPadded: isPadded)
    return #"{"signedRegistrationData":{"header":"\#(header)","payload":"\#(load)","#
      + #""signature":"\#(signature)"}}"#
  }

  // MARK: Assertions

  /// What an assertion says; `nil` leaves a claim out.
  struct Claims {
    var iss: String? = "com.example.app$ios$1.0"
    var sub: String?
    var aud: String?
    var jti: String?
    var iat: Int64
    var exp: Int64
    var kid: String
  }

  func claims(aud: String? = nil, jti: String? = nil) -> Claims {
    Claims(sub: id, aud: aud, jti: jti, iat: now, exp: now + 60000, kid: id)
  }

  func assertion(_ claims: Claims, signedBy signer: RSAKey? = nil) -> String {
    let texts = [
      ("iss", claims.iss), ("sub", claims.sub), ("aud", claims.aud), ("jti", claims.jti),
    ]
    let members =
      texts.compactMap { name, text in text.map { #""\#(name)":"\#($0)""# } }
      + [#""iat":\#(claims.iat)"#, #""exp":\#(claims.exp)"#]
    let header = Self.base64URL(Array(head(kid: claims.kid).utf8))
    let load = Self.base64URL(Array("{\(members.joined(separator: ","))}".utf8))
    return "\(header).\(load).\(Self.base64URL(sign("\(header).\(load)", signer)))"
  }

  static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

  // MARK: Checks and tokens

  func preauthorize(_ scope: String, _ answers: String = "{}") -> Answer? {
    postJSON(
      "preauth/v1/preauthorize",
      #"{"client_id":"\#(id)","scope":"\#(scope)","challengeResponse":\#(answers)}"#)
  }

  func logIn(
    _ name: String, _ password: String, check: String = "UserLogin", remember: Bool? = nil
  ) -> Answer? {
    let wish = remember.map { #","rememberMe":\#($0)"# } ?? ""
    return preauthorize(
      check, #"{"\#(check)":{"username":"\#(name)","password":"\#(password)"\#(wish)}}"#)
  }

  static let redirect = "https://mfpredirecturi"

  func authorize(_ scope: String) -> Answer? {
    let scope = Visitor.encoded(scope)
    return ask(
      "GET",
      "az/v1/authorization?response_type=code&client_id=\(id)&scope=\(scope)"
        + "&redirect_uri=https%3A%2F%2Fmfpredirecturi")
  }

  /// The code of an authorization; `nil` when it was refused.
  func code(_ scope: String) -> String? {
    guard let location = authorize(scope)?["Location"] else { return nil }
    let start = "\(Self.redirect)?code="
    return location.hasPrefix(start) ? String(location.dropFirst(start.count)) : nil
  }

  func exchange(
    _ code: String, assertion: String? = nil, redirect: String = MobileFirstDevice.redirect
  ) -> Answer? {
    let proof = assertion ?? self.assertion(claims(aud: "az/v1/token", jti: code))
    return postForm(
      "az/v1/token",
      [
        ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect),
        ("client_assertion_type", Self.assertionType), ("client_assertion", proof),
      ])
  }

  /// An access token of a scope whose checks have succeeded.
  func token(_ scope: String) -> String? {
    code(scope).flatMap { exchange($0) }.flatMap { Self.member("access_token", of: $0) }
  }

  func logOut(_ check: String, assertion: String? = nil) -> Answer? {
    prove("preauth/v1/logout", [("security_check", check)], assertion: assertion)
  }

  /// Posts a form with an assertion.
  func prove(
    _ route: String, _ fields: [(String, String)] = [], assertion: String? = nil
  ) -> Answer? {
    let proof = assertion ?? self.assertion(claims())
    return postForm(
      route,
      [("client_assertion", proof), ("client_assertion_type", Self.assertionType)] + fields)
  }

  func read(_ resource: String, token: String? = nil) -> Answer? {
    ask(
      "GET", "adapters/ResourceAdapter/\(resource)",
      token.map { [("Authorization", "Bearer \($0)")] } ?? [])
  }

  // MARK: Texts

  /// The text of a member, found without a JSON reader.
  static func member(_ name: String, of answer: Answer) -> String? {
    guard let start = answer.text.firstRange(of: #""\#(name)":""#)?.upperBound else { return nil }
    return String(answer.text[start...].prefix { $0 != "\"" })
  }

  static func base64URL(_ bytes: [UInt8], isPadded: Bool = false) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    return stride(from: 0, to: bytes.count, by: 3).map { start in
      let group = bytes[start..<min(start + 3, bytes.count)]
      let missing = 3 - group.count
      let bits = (group + Array(repeating: 0, count: missing)).reduce(0) { $0 << 8 | Int($1) }
      let text = String([18, 12, 6, 0].map { digits[bits >> $0 & 63] }.dropLast(missing))
      return isPadded ? text + String(repeating: "=", count: missing) : text
    }.joined()
  }

  private func head(kid: String?, algorithm: String = "RS256", isPadded: Bool = false) -> String {
    let modulus = Self.base64URL(key.publicKey.modulus, isPadded: isPadded)
    let exponent = Self.base64URL(key.publicKey.exponent, isPadded: isPadded)
    let name = kid.map { #","kid":"\#($0)""# } ?? ""
    return
      #"{"alg":"\#(algorithm)","jwk":{"kty":"RSA","n":"\#(modulus)","e":"\#(exponent)"\#(name)}}"#
  }

  private func sign(_ text: String, _ signer: RSAKey?) -> [UInt8] {
    (try? (signer ?? key).sign(Array(text.utf8), with: .sha256)) ?? []
  }
}
