import Gatebook
import GatebookFakes
import Testing

@Suite struct MobileFirstPreauthorizeTests {
  private let device: MobileFirstDevice

  init() throws {
    device = try startedServer()
  }

  @Test func `a scope without checks is open to every client`() {
    for scope in ["", "FakeRegisteredClient", " FakeRegisteredClient "] {
      let answer = device.preauthorize(scope)
      #expect(answer?.status == 200)
      #expect(
        answer?.text
          == #"{"successes":{"clockSynchronization":{"serverTimeStamp":1455803338008}}}"#)
    }
  }

  @Test func `only JSON of known clients and scopes is understood`() {
    let body = #"{"client_id":"client-1","scope":"UserLogin"}"#
    let route = "preauth/v1/preauthorize"
    #expect(device.ask("POST", route, [("Content-Type", "text/plain")], body: body)?.status == 415)
    #expect(device.ask("POST", route, body: body)?.status == 415)
    #expect(device.ask("GET", route)?.status == 405)
    #expect(device.postJSON(route, body)?.status == 401)
    #expect(device.postJSON(route, "[]")?.text == #"{"errorCode":"INVALID_REQUEST"}"#)
    #expect(device.preauthorize("NoSuchCheck")?.text == #"{"errorCode":"INVALID_SCOPE"}"#)
    device.id = "client-9"
    let unknown = device.preauthorize("UserLogin")
    #expect(unknown?.status == 400)
    #expect(unknown?.text == #"{"errorCode":"INVALID_CLIENT_ID"}"#)
  }

  @Test(arguments: [
    (#"{"username":"john"}"#, "Credentials not set properly"),
    (#"{"password":"john"}"#, "Credentials not set properly"),
    (#"{}"#, "Credentials not set properly"),
    (#"{"username":"","password":""}"#, "Wrong Credentials"),
    (#"{"username":"john","password":"John"}"#, "Wrong Credentials"),
    // The same text to a reader, other bytes to a server.
    (#"{"username":"\u00e9","password":"e\u0301"}"#, "Wrong Credentials"),
  ])
  func `wrong credentials count as an attempt`(_ credentials: String, _ message: String) {
    let answer = device.preauthorize("UserLogin", #"{"UserLogin":\#(credentials)}"#)
    #expect(answer?.status == 401)
    let challenge = #"{"errorMsg":"\#(message)","remainingAttempts":2}"#
    #expect(answer?.text.contains(challenge) == true)
  }

  @Test func `an answer of null is none`() {
    let answer = device.preauthorize("UserLogin", #"{"UserLogin":null}"#)
    #expect(answer?.text.contains(#"{"errorMsg":null,"remainingAttempts":3}"#) == true)
  }

  @Test func `answers to checks outside the scope are not looked at`() {
    #expect(
      device.preauthorize("PinCode", #"{"UserLogin":{"username":"x","password":"y"}}"#)?.status
        == 401)
    #expect(device.preauthorize("UserLogin")?.text.contains(#""remainingAttempts":3"#) == true)
  }

  @Test func `several checks are in one answer`() {
    let scope = "accessRestricted PinCode"
    let first = device.preauthorize(scope)
    let both =
      #"{"challenges":{"UserLogin":{"errorMsg":null,"remainingAttempts":3},"#
      + #""PinCode":{"errorMsg":null,"remainingAttempts":3}},"#
    #expect(first?.text.hasPrefix(both) == true)
    let half = device.preauthorize(
      scope, #"{"UserLogin":{"username":"a","password":"a"},"PinCode":{"pin":"0"}}"#)
    #expect(half?.status == 401)
    #expect(half?.text.contains(#""successes":{"UserLogin":{"user":{"id":"a""#) == true)
    #expect(half?.text.contains(#""PinCode":{"errorMsg":"Wrong Credentials""#) == true)
    _ = device.preauthorize("PinCode", #"{"PinCode":{"pin":"1"}}"#)
    // The base classes know no lock-out: a fresh challenge in place of a failure.
    let fresh = device.preauthorize("PinCode", #"{"PinCode":{"pin":"2"}}"#)
    #expect(fresh?.status == 401)
    #expect(fresh?.text.contains(#"{"errorMsg":null,"remainingAttempts":3}"#) == true)
    #expect(device.preauthorize(scope, #"{"PinCode":{"pin":"1234"}}"#)?.status == 200)
  }

  @Test func `a failure wins over a challenge and comes with the successes`() {
    for _ in 1...3 { _ = device.logIn("x", "y") }
    _ = device.preauthorize("PinCode", #"{"PinCode":{"pin":"1234"}}"#)
    let answer = device.preauthorize("UserLogin PinCode StepUpUserLogin")
    #expect(answer?.status == 403)
    #expect(
      answer?.text
        == #"{"failures":{"UserLogin":{"failure":"Account blocked"}},"successes":{"PinCode":{},"#
        + #""clockSynchronization":{"serverTimeStamp":1455803338008}}}"#)
  }

  @Test func `clients have states of their own`() {
    _ = device.logIn("john", "john")
    let other = MobileFirstDevice(device.server, device.clock)
    other.register()
    #expect(other.preauthorize("UserLogin")?.status == 401)
    #expect(device.preauthorize("UserLogin")?.status == 200)
  }

  @Test func `a user table replaces the rule`() throws {
    var application = FakeMobileFirstApplication.sample
    let ada = FakeMobileFirstUser(
      "ada", password: "p", displayName: "Ada \"A\"", attributes: ["b": "2", "a": "1"])
    application.checks = [FakeSecurityCheck("UserLogin", .userLogin(users: [ada]))]
    device.server.application = application
    #expect(device.logIn("ada", "ada")?.status == 401)
    let answer = device.logIn("ada", "p")
    #expect(answer?.status == 200)
    #expect(
      answer?.text.contains(
        #""displayName":"Ada \"A\"","authenticatedAt":1455803338008,"#
          + #""authenticatedBy":"UserLogin","attributes":{"a":"1","b":"2"}"#) == true)
  }

  @Test func `an element may stand for none, one or more checks`() {
    device.server.application.elements = [
      "open": [], "both": ["UserLogin", "PinCode"], "UserLogin": ["PinCode"],
    ]
    #expect(device.preauthorize("open")?.status == 200)
    #expect(device.preauthorize("both")?.text.contains(#""UserLogin":{"#) == true)
    // The configuration wins over the check of the same name.
    #expect(device.preauthorize("UserLogin")?.text.contains(#""UserLogin""#) == false)
  }

  @Test func `a step-up alone says nothing`() {
    #expect(device.preauthorize("StepUpPinCode")?.status == 200)
    #expect(device.code("StepUpPinCode") == nil)
  }
}
