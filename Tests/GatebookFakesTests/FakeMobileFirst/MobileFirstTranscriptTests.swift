import GatebookFakes
import GatebookTestSupport
import Testing

@Suite struct MobileFirstTranscriptTests {
  private let clock = #""clockSynchronization":{"serverTimeStamp":1455803338008}"#

  @Test func `registration, challenge, answer, token, resource and logout`() throws {
    let device = try startedServer(registers: false)
    let registered = try #require(device.register())
    #expect(registered.status == 201)
    #expect(registered["Location"] == "/mfp/api/registration/clients/client-1")
    #expect(registered.body.isEmpty)

    let challenged = try #require(device.preauthorize("UserLogin"))
    #expect(challenged.status == 401)
    #expect(challenged["WWW-Authenticate"] == "MFP-Challenge")
    #expect(
      challenged.text
        == #"{"challenges":{"UserLogin":{"errorMsg":null,"remainingAttempts":3}},"#
        + #""successes":{\#(clock)}}"#)

    let answered = try #require(device.logIn("john", "john", remember: true))
    #expect(answered.status == 200)
    #expect(
      answered.text
        == #"{"successes":{"UserLogin":{"user":{"id":"john","displayName":"john","#
        + #""authenticatedAt":1455803338008,"authenticatedBy":"UserLogin","attributes":{}}},"#
        + "\(clock)}}")

    let authorized = try #require(device.authorize("UserLogin"))
    #expect(authorized.status == 302)
    #expect(authorized["Location"] == "https://mfpredirecturi?code=code-1")

    let token = try #require(device.exchange("code-1"))
    #expect(token.status == 200)
    #expect(token["Cache-Control"] == "no-store")
    #expect(
      token.text
        == #"{"access_token":"token-1","token_type":"Bearer","expires_in":60,"scope":"UserLogin"}"#)

    let balance = try #require(device.read("balance", token: "token-1"))
    #expect(balance.status == 200)
    #expect(balance.text == "19938.80")

    let loggedOut = try #require(device.logOut("UserLogin"))
    #expect(loggedOut.status == 200)
    #expect(loggedOut.text == "{}")

    let requests = device.server.requests
    #expect(requests.map(\.status) == [201, 401, 200, 302, 200, 200, 200])
    #expect(requests.allSatisfy { $0.clientID == "client-1" })
    #expect(device.server.requests(to: .preauthorize).count == 2)
    #expect(device.server.requests(to: .adapters).count == 1)
    #expect(device.server.secretsIssued == ["code-1", "token-1"])
  }

  @Test func `three wrong answers block for ten seconds`() throws {
    let device = try startedServer()
    #expect(device.preauthorize("UserLogin")?.text.contains(#""remainingAttempts":3"#) == true)
    for remaining in [2, 1] {
      let answer = try #require(device.logIn("x", "y"))
      #expect(answer.status == 401)
      let challenge = #"{"errorMsg":"Wrong Credentials","remainingAttempts":\#(remaining)}"#
      #expect(answer.text.hasPrefix(#"{"challenges":{"UserLogin":\#(challenge)}"#))
    }
    let blocked = try #require(device.logIn("x", "y"))
    #expect(blocked.status == 403)
    #expect(blocked["WWW-Authenticate"] == nil)
    #expect(
      blocked.text
        == #"{"failures":{"UserLogin":{"failure":"Account blocked"}},"successes":{\#(clock)}}"#)
    device.clock.advance(by: .seconds(9))
    #expect(device.logIn("john", "john")?.status == 403)
    device.clock.advance(by: .seconds(1))
    #expect(device.logIn("john", "john")?.status == 200)
  }

  @Test func `a remembered login outlives its success, but not for ever`() throws {
    let device = try startedServer()
    let start = #""authenticatedAt":1455803338008"#
    #expect(device.logIn("john", "john", remember: true)?.text.contains(start) == true)
    device.clock.advance(by: .seconds(61))
    let remembered = try #require(device.preauthorize("UserLogin"))
    #expect(remembered.status == 200)
    #expect(remembered.text.contains(start))
    #expect(device.token("UserLogin") != nil)
    device.clock.advance(by: .seconds(61))
    #expect(device.preauthorize("UserLogin")?.status == 401)
  }

  @Test(arguments: [(120_000, 200), (120_001, 401)])
  func `the window ends with its last millisecond`(_ milliseconds: Int, _ status: Int) throws {
    let device = try startedServer()
    _ = device.logIn("john", "john", remember: true)
    device.clock.advance(by: .milliseconds(milliseconds))
    #expect(device.preauthorize("UserLogin")?.status == status)
    device.clock.advance(by: .milliseconds(59_999))
    #expect(device.preauthorize("UserLogin")?.status == status)
    device.clock.advance(by: .milliseconds(1))
    #expect(device.preauthorize("UserLogin")?.status == 401)
  }

  @Test func `after a logout nothing is remembered and no token works`() throws {
    let device = try startedServer()
    _ = device.logIn("john", "john", remember: true)
    let token = try #require(device.token("UserLogin"))
    let other = try #require(device.token(""))
    device.clock.advance(by: .seconds(5))
    #expect(device.logOut("UserLogin")?.status == 200)
    device.clock.advance(by: .seconds(1))
    #expect(device.preauthorize("UserLogin")?.status == 401)
    let refused = try #require(device.read("balance", token: token))
    #expect(refused["WWW-Authenticate"] == #"Bearer error="invalid_token""#)
    // The server ends what rests on this check only: emptying the map is the client's own work.
    #expect(device.read("balance", token: other)?.status == 403)
  }

  @Test func `a step-up asks for the PIN after the user only`() throws {
    let device = try startedServer()
    let scope = "StepUpPinCode StepUpUserLogin"
    let first = try #require(device.preauthorize(scope))
    #expect(first.status == 401)
    #expect(first.text.hasPrefix(#"{"challenges":{"StepUpUserLogin":{"#))
    #expect(!first.text.contains("StepUpPinCode"))
    let second = try #require(
      device.preauthorize(
        scope, #"{"StepUpUserLogin":{"username":"john","password":"john123"}}"#))
    #expect(second.status == 401)
    #expect(second.text.hasPrefix(#"{"challenges":{"StepUpPinCode":{"errorMsg":null}},"#))
    #expect(second.text.contains(#""displayName":"John Doe""#))
    let third = try #require(device.preauthorize(scope, #"{"StepUpPinCode":{"pin":"1234"}}"#))
    #expect(third.status == 200)
    #expect(third.text.contains(#""displayName":"John Doe""#))
    #expect(third.text.contains(#""StepUpPinCode":{}"#))
    let token = try #require(device.token("transferPrivilege"))
    #expect(device.read("transfer", token: token)?.text == "Transferred.")
  }
}
