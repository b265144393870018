import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

@Suite struct MobileFirstTokenTests {
  private let device: MobileFirstDevice

  init() throws {
    device = try startedServer()
  }

  @Test(arguments: [
    "response_type=token&client_id=client-1&scope=&redirect_uri=https%3A%2F%2Fmfpredirecturi",
    "client_id=client-1&scope=&redirect_uri=https%3A%2F%2Fmfpredirecturi",
    "response_type=code&client_id=client-2&scope=&redirect_uri=https%3A%2F%2Fmfpredirecturi",
    "response_type=code&client_id=client-1&redirect_uri=https%3A%2F%2Fmfpredirecturi",
    "response_type=code&client_id=client-1&scope=No&redirect_uri=https%3A%2F%2Fmfpredirecturi",
    "response_type=code&client_id=client-1&scope=&redirect_uri=https%3A%2F%2Felsewhere",
  ])
  func `an authorization with wrong parameters is refused`(_ query: String) {
    let answer = device.ask("GET", "az/v1/authorization?\(query)")
    #expect(answer?.status == 400)
    #expect(answer?.text == #"{"error":"invalid_request"}"#)
    #expect(device.server.secretsIssued.isEmpty)
  }

  @Test func `no code before all checks have succeeded`() {
    let denied = "https://mfpredirecturi?error=access_denied"
    #expect(device.authorize("UserLogin")?["Location"] == denied)
    _ = device.logIn("john", "john")
    #expect(device.authorize("UserLogin PinCode")?["Location"] == denied)
    #expect(device.authorize("UserLogin")?.status == 302)
    device.clock.advance(by: .seconds(60))
    #expect(device.code("UserLogin") == nil)
  }

  @Test func `a remembered login is good for a code`() {
    _ = device.logIn("john", "john", remember: true)
    device.clock.advance(by: .seconds(90))
    #expect(device.code("accessRestricted") != nil)
  }

  @Test
  func `a token is valid until its first check expires, in whole seconds, and at most an hour`()
    throws
  {
    #expect(device.exchange(try #require(device.code("")))?.text.contains(lives(3600)) == true)
    _ = device.logIn("john", "john")
    _ = device.preauthorize("PinCode", #"{"PinCode":{"pin":"1234"}}"#)
    device.clock.advance(by: .milliseconds(1500))
    let code = try #require(device.code("PinCode accessRestricted"))
    let answer = try #require(device.exchange(code))
    #expect(answer.text.contains(lives(58)))
    #expect(answer.text.contains(#""scope":"PinCode accessRestricted""#))
    let token = try #require(MobileFirstDevice.member("access_token", of: answer))
    device.clock.advance(by: .milliseconds(58_499))
    #expect(device.read("balance", token: token)?.status == 200)
    device.clock.advance(by: .milliseconds(1))
    #expect(device.read("balance", token: token)?.status == 401)
    device.server.application.maxTokenExpiration = .seconds(30)
    #expect(device.exchange(try #require(device.code("PinCode")))?.text.contains(lives(30)) == true)
  }

  private func lives(_ seconds: Int) -> String { #""expires_in":\#(seconds),"# }

  @Test func `the default scope has a name`() throws {
    let answer = device.exchange(try #require(device.code("")))
    #expect(answer?.text.contains(#""scope":"FakeRegisteredClient"}"#) == true)
  }

  @Test func `a code is good once, for its client, its redirect and only while its checks hold`()
    throws
  {
    _ = device.logIn("john", "john")
    let code = try #require(device.code("UserLogin"))
    #expect(refusesGrant(device.exchange(code, redirect: "https://elsewhere")))
    let other = MobileFirstDevice(device.server, device.clock)
    other.register()
    #expect(refusesGrant(other.exchange(code)))
    #expect(refusesGrant(device.exchange("code-99")))
    #expect(device.exchange(code)?.status == 200)
    #expect(refusesGrant(device.exchange(code)))
    let late = try #require(device.code("UserLogin"))
    device.clock.advance(by: .seconds(60))
    #expect(refusesGrant(device.exchange(late)))
  }

  private func refusesGrant(_ answer: Answer?) -> Bool {
    answer?.status == 400 && answer?.text == #"{"error":"invalid_grant"}"#
  }

  @Test(arguments: [
    ("iss", "com.example.app$android"), ("sub", "client-2"), ("sub", nil), ("kid", "client-2"),
    ("aud", "token"), ("aud", nil), ("jti", "code-2"), ("jti", nil), ("iss", nil),
  ])
  func `an assertion of anybody or for anything else is refused`(
    _ claim: String, _ value: String?
  ) throws {
    let code = try #require(device.code(""))
    var claims = device.claims(aud: "az/v1/token", jti: code)
    switch claim {
    case "iss": claims.iss = value
    case "sub": claims.sub = value
    case "kid": claims.kid = value ?? ""
    case "aud": claims.aud = value
    default: claims.jti = value
    }
    let answer = device.exchange(code, assertion: device.assertion(claims))
    #expect(answer?.status == 401)
    #expect(answer?.text == #"{"error":"invalid_client"}"#)
    #expect(answer?["Cache-Control"] == "no-store")
    // What was refused used nothing up.
    #expect(device.exchange(code)?.status == 200)
  }

  @Test(arguments: ["com.example.app$ios", "com.example.app$ios$1.0"])
  func `the issuer may leave its version out`(_ issuer: String) throws {
    let code = try #require(device.code(""))
    var claims = device.claims(aud: "az/v1/token", jti: code)
    claims.iss = issuer
    #expect(device.exchange(code, assertion: device.assertion(claims))?.status == 200)
  }

  @Test(arguments: [
    (0, 0, 200), (300_000, 300_000, 200), (300_001, 300_001, 401), (-60_000, 0, 200),
    (-60_001, -1, 401),
  ])
  func `an assertion holds from five minutes before to its end, to the millisecond`(
    _ iat: Int64, _ exp: Int64, _ status: Int
  ) throws {
    let code = try #require(device.code(""))
    var claims = device.claims(aud: "az/v1/token", jti: code)
    claims.iat = device.now + iat
    claims.exp = device.now + exp
    #expect(device.exchange(code, assertion: device.assertion(claims))?.status == status)
  }

  @Test func `times in seconds are refused`() throws {
    let code = try #require(device.code(""))
    var claims = device.claims(aud: "az/v1/token", jti: code)
    claims.iat /= 1000
    claims.exp = claims.iat + 60
    #expect(device.exchange(code, assertion: device.assertion(claims))?.status == 401)
  }

  @Test func `an assertion of another key or of no form is refused`() throws {
    let code = try #require(device.code(""))
    let claims = device.claims(aud: "az/v1/token", jti: code)
    let forged = device.assertion(claims, signedBy: MobileFirstDevice.otherKey)
    // The registered key decides, not the one that the assertion carries.
    let thief = MobileFirstDevice(
      device.server, device.clock, key: MobileFirstDevice.otherKey)
    for text in [forged, thief.assertion(claims), "a.b.c", "", "\(device.assertion(claims)).x"] {
      #expect(device.exchange(code, assertion: text)?.status == 401)
    }
  }

  @Test func `other grants and forms are refused`() {
    #expect(
      device.postForm("az/v1/token", [("grant_type", "password")])?.text
        == #"{"error":"unsupported_grant_type"}"#)
    for fields in [[], [("grant_type", "authorization_code")]] {
      #expect(device.postForm("az/v1/token", fields)?.text == #"{"error":"invalid_request"}"#)
    }
  }
}
