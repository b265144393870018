import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

@Suite struct MobileFirstResourceTests {
  private let device: MobileFirstDevice

  init() throws {
    device = try startedServer()
  }

  private func refusal(_ answer: Answer?) -> String {
    "\(answer?.status ?? 0) \(answer?["WWW-Authenticate"] ?? "")"
  }

  @Test func `public data wants no token`() {
    let answer = device.read("publicData")
    #expect(answer?.status == 200)
    #expect(answer?.text == "This is public data.")
  }

  @Test func `refusals say what is missing`() throws {
    #expect(refusal(device.read("balance")) == "401 Bearer")
    let basic = [("Authorization", "Basic am9objpqb2hu")]
    #expect(refusal(device.ask("GET", "adapters/ResourceAdapter/balance", basic)) == "401 Bearer")
    #expect(
      refusal(device.read("balance", token: "token-9")) == #"401 Bearer error="invalid_token""#)
    let token = try #require(device.token(""))
    #expect(
      refusal(device.read("balance", token: token))
        == #"403 Bearer error="insufficient_scope", scope="FakeRegisteredClient accessRestricted""#)
    #expect(
      refusal(device.read("transfer", token: token))
        == #"403 Bearer error="insufficient_scope", scope="FakeRegisteredClient transferPrivilege""#
    )
    #expect(device.read("nothing", token: token)?.status == 404)
  }

  @Test func `the scope of a refusal opens the resource`() throws {
    _ = device.logIn("john", "john")
    let token = try #require(device.token("FakeRegisteredClient accessRestricted"))
    #expect(device.read("balance", token: token)?.text == "19938.80")
    #expect(device.server.requests.last?.clientID == "client-1")
  }

  @Test func `a resource may have the default scope`() throws {
    device.server.application.resources = [FakeAdapterResource("A/b", scope: "", text: "b")]
    let token = try #require(device.token(""))
    let fields = [("Authorization", "bearer \(token)")]
    #expect(device.ask("POST", "adapters/A/b", fields, body: "x")?.text == "b")
    #expect(refusal(device.ask("GET", "adapters/A/b")) == "401 Bearer")
  }

  @Test(arguments: ["wrong login", "logout", "logout and login", "revocation", "forgotten client"])
  func `a token whose check ended early is refused`(_ end: String) throws {
    _ = device.logIn("john", "john")
    let token = try #require(device.token("UserLogin"))
    #expect(device.logIn("john", "john")?.status == 200)
    #expect(device.read("balance", token: token)?.status == 200)
    switch end {
    case "wrong login": _ = device.logIn("x", "y")
    case "revocation": device.server.revokeTokens()
    case "forgotten client": device.server.forgetClients()
    default:
      _ = device.logOut("UserLogin")
      if end == "logout and login" { _ = device.logIn("john", "john") }
    }
    #expect(refusal(device.read("balance", token: token)) == #"401 Bearer error="invalid_token""#)
  }

  @Test func `a wrong login ends a token even when the next one is right`() throws {
    _ = device.logIn("john", "john")
    let token = try #require(device.token("UserLogin"))
    _ = device.logIn("x", "y")
    _ = device.logIn("john", "john")
    #expect(device.read("balance", token: token)?.status == 401)
  }

  @Test func `a logout wants an assertion for nothing else`() {
    _ = device.logIn("john", "john")
    let wrong = [
      device.assertion(device.claims(aud: "az/v1/token")),
      device.assertion(device.claims(jti: "code-1")),
      device.assertion(device.claims(), signedBy: MobileFirstDevice.otherKey), "",
    ]
    for assertion in wrong {
      let answer = device.logOut("UserLogin", assertion: assertion)
      #expect(answer?.status == 401)
      #expect(answer?.text == #"{"error":"invalid_client"}"#)
    }
    #expect(device.preauthorize("UserLogin")?.status == 200)
    #expect(device.logOut("NoSuchCheck")?.status == 400)
    #expect(device.prove("preauth/v1/logout")?.status == 400)
  }
}
