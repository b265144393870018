import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

@Suite struct MobileFirstKnobTests {
  private let device: MobileFirstDevice

  init() throws {
    device = try startedServer()
  }

  @Test func `everything says that it is a fake`() {
    for target in ["/", "/mfp/api/nowhere", "/mfp/api/adapters/ResourceAdapter/publicData"] {
      let answer = RawClient.ask(device.server.port, "GET", target)
      #expect(answer?["Server"] == "Gatebook fake MobileFirst server")
      #expect(answer?["Date"] == "Thu, 18 Feb 2016 13:48:58 GMT")
    }
  }

  @Test func `conflicts come as often as asked for and change nothing`() {
    device.server.inject(.conflict, on: .preauthorize, times: 2)
    for _ in 1...2 {
      let answer = device.logIn("x", "y")
      #expect(answer?.status == 409)
      #expect(answer?["MFP-Conflict"] != nil)
    }
    #expect(device.logIn("x", "y")?.text.contains(#""remainingAttempts":2"#) == true)
    device.server.inject(.conflict, on: .adapters)
    #expect(device.read("publicData")?["MFP-Conflict"] != nil)
    #expect(device.read("publicData")?.status == 200)
  }

  @Test func `a client is reported as unknown as often as asked for, and stays known`() {
    device.server.inject(.unknownClient, on: .preauthorize, times: 2)
    device.server.inject(.conflict, on: .preauthorize)
    let answers = (1...4).map { _ in device.preauthorize("")?.status }
    #expect(answers == [400, 400, 409, 200])
    device.server.inject(.unknownClient, on: .preauthorize)
    #expect(device.preauthorize("")?.text == #"{"errorCode":"INVALID_CLIENT_ID"}"#)
    #expect(device.server.clientIDs == ["client-1"])
  }

  @Test func `connections are dropped before or after acting`() {
    device.server.inject(.dropBeforeActing, on: .preauthorize)
    #expect(device.logIn("x", "y") == nil)
    device.server.inject(.dropAfterActing, on: .preauthorize)
    #expect(device.logIn("x", "y") == nil)
    #expect(device.preauthorize("UserLogin")?.text.contains(#""remainingAttempts":2"#) == true)
    #expect(device.server.requests(to: .preauthorize).map(\.status) == [nil, 401, 401])
  }

  @Test func `an HTML page comes in place of an answer`() {
    device.server.inject(.status(503))
    device.server.inject(.page(), on: .preauthorize)
    let refused = device.preauthorize("")
    #expect(refused?.status == 503)
    #expect(refused?["Content-Type"] == "text/html;charset=UTF-8")
    #expect(device.read("publicData")?.status == 200)
    #expect(device.preauthorize("")?.text.hasPrefix("<!DOCTYPE html>") == true)
    #expect(device.preauthorize("")?.text.hasPrefix("{") == true)
  }

  @Test func `faults are taken back`() {
    device.server.inject(.conflict, on: .preauthorize, times: 9)
    device.server.inject(.status(500), times: nil)
    #expect(device.preauthorize("")?.status == 409)
    device.server.clearFaults()
    #expect(device.preauthorize("")?.status == 200)
  }

  @Test func `the server's clock may be wrong or not told`() throws {
    device.server.switches.clockSkewMs = -600_000
    let answer = device.logIn("john", "john")
    #expect(answer?.text.contains(#""serverTimeStamp":1455802738008"#) == true)
    #expect(answer?.text.contains(#""authenticatedAt":1455802738008"#) == true)
    #expect(answer?["Date"] == "Thu, 18 Feb 2016 13:38:58 GMT")
    let code = try #require(device.code("UserLogin"))
    #expect(device.exchange(code)?.status == 401)
    var claims = device.claims(aud: "az/v1/token", jti: code)
    claims.iat -= 600_000
    claims.exp -= 600_000
    #expect(device.exchange(code, assertion: device.assertion(claims))?.status == 200)
    device.server.switches.omitClock = true
    #expect(device.preauthorize("")?.text == #"{"successes":{}}"#)
    #expect(
      device.preauthorize("PinCode")?.text
        == #"{"challenges":{"PinCode":{"errorMsg":null,"remainingAttempts":3}}}"#)
  }

  @Test func `a skew that changes does not age states`() {
    _ = device.logIn("john", "john")
    device.server.switches.clockSkewMs = 86_400_000
    #expect(device.preauthorize("UserLogin")?.status == 200)
  }

  @Test func `failures may come with the status for hybrid clients`() {
    device.server.switches.failureStatus = 222
    for _ in 1...2 { _ = device.logIn("x", "y") }
    let answer = device.logIn("x", "y")
    #expect(answer?.status == 222)
    #expect(answer?.text.contains(#""failures""#) == true)
  }

  @Test func `a server that was stopped knows its clients`() throws {
    _ = device.logIn("john", "john")
    device.server.stop()
    #expect(device.preauthorize("UserLogin") == nil)
    try device.server.start()
    #expect(device.preauthorize("UserLogin")?.status == 200)
  }

  @Test func `a test that waits for requests continues when they have come`() async throws {
    device.server.forgetRequests()
    device.server.inject(.stallBeforeActing, on: .adapters)
    let client = try #require(RawClient(device.server.port))
    client.send("GET /mfp/api/adapters/ResourceAdapter/balance HTTP/1.1\r\n\r\n")
    #expect(await device.server.requests(atLeast: 1).map(\.status) == [nil])
    device.server.stop()
    #expect(client.readToEnd().isEmpty)
  }

  @Test func `the sample listens below its context`() throws {
    let server = try FakeMobileFirstServer.sample()
    #expect(server.apiURL == "http://127.0.0.1:\(server.port)/mfp/api")
    #expect(
      server.application.checks.map(\.name) == [
        "UserLogin", "PinCode", "StepUpUserLogin", "StepUpPinCode",
      ])
  }
}
