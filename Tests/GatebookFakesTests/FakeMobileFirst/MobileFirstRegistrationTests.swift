import Gatebook
import GatebookFakes
import Testing

@Suite struct MobileFirstRegistrationTests {
  private let device: MobileFirstDevice

  init() throws {
    device = try startedServer(registers: false)
  }

  private func refuses(_ body: String, _ code: String = "INVALID_REQUEST") -> Bool {
    let answer = device.postJSON("registration/v1/self", body)
    return answer?.status == 400 && answer?.text == #"{"errorCode":"\#(code)"}"#
      && device.server.clientIDs.isEmpty
  }

  @Test func `ids are counted`() {
    for id in ["client-1", "client-2"] {
      #expect(
        device.register()?["Location"] == "/mfp/api/registration/clients/\(id)")
    }
    #expect(device.server.clientIDs == ["client-1", "client-2"])
  }

  @Test func `padded parts are accepted`() {
    let answer = device.postJSON("registration/v1/self", device.registration(isPadded: true))
    #expect(answer?.status == 201)
  }

  @Test func `what another program signed is accepted, and nothing else in its place`() {
    let body = RegistrationFixture.body
    #expect(refuses(body.replacing(RegistrationFixture.payload, with: RegistrationFixture.other)))
    #expect(device.postJSON("registration/v1/self", body)?.status == 201)
  }

  @Test func `another key, algorithm or text is refused`() {
    #expect(refuses(device.registration(signedBy: MobileFirstDevice.otherKey)))
    #expect(refuses(device.registration(algorithm: "RS384")))
    #expect(refuses(device.registration(algorithm: "none")))
    #expect(refuses(device.registration().replacing(#""signature":""#, with: #""signature":"A"#)))
    #expect(refuses("{}"))
    #expect(refuses("no JSON"))
  }

  @Test(arguments: [
    "{}", #"{"application":{"id":"a","clientPlatform":"ios"}}"#,
    #"{"application":{"id":"","clientPlatform":"ios"},"device":{"id":"D"}}"#,
    #"{"application":{"id":"a"},"device":{"id":"D"}}"#, "[]",
  ])
  func `data without application, platform or device is refused`(_ payload: String) {
    #expect(refuses(device.registration(payload)))
  }

  @Test func `another version of the protocol is refused`() {
    let payload = MobileFirstDevice.payload.replacing("version\":1}", with: "version\":2}")
    #expect(refuses(device.registration(payload), "PROTOCOL_MISMATCH_ERROR"))
  }

  @Test func `data is changed by its own key`() throws {
    device.register()
    let route = "registration/v1/self/\(device.id)"
    let payload = MobileFirstDevice.payload.replacing("1.0", with: "2.0")
    let wrong = MobileFirstDevice(
      device.server, device.clock, key: MobileFirstDevice.otherKey)
    #expect(device.postJSON(route, wrong.registration(payload), method: "PUT")?.status == 400)
    let changed = device.postJSON(route, device.registration(payload), method: "PUT")
    #expect(changed?.status == 200)
    #expect(changed?.text == "{}")

    // The issuer names the version that is registered now.
    _ = device.logIn("john", "john")
    #expect(device.logOut("UserLogin")?.status == 401)
    var claims = device.claims()
    claims.iss = "com.example.app$ios$2.0"
    #expect(device.logOut("UserLogin", assertion: device.assertion(claims))?.status == 200)
  }

  @Test func `an unknown client is not changed`() {
    device.register()
    device.server.forgetClients()
    let route = "registration/v1/self/client-1"
    let body = device.registration()
    let answer = device.postJSON(route, body, method: "PUT")
    #expect(answer?.status == 400)
    #expect(answer?.text == #"{"errorCode":"INVALID_CLIENT_ID"}"#)
  }
}
