import GatebookFakes
import Testing

/// How calls fail, release by release.
@Suite struct PortalRefusalTests {
  private static let denied =
    "Access denied to com.liferay.portal.kernel.service.UserService#getUserById"

  private static func exception(_ type: String, _ message: String) -> String {
    #"{"error":{"message":"\#(message)","type":"\#(type)"},"exception":"\#(message)","#
      + #""throwable":"\#(type): \#(message)"}"#
  }

  private func expectGuestRefused(_ answer: Answer?, _ version: FakePortalVersion) {
    if version == .v62 {
      #expect(answer?.status == 200)
      #expect(answer?.text == #"{"exception":"Authenticated access required"}"#)
    } else {
      #expect(answer?.status == 403)
      #expect(answer?["Cache-Control"] == "no-cache")
      #expect(answer?.text == Self.exception("java.lang.SecurityException", Self.denied))
    }
  }

  @Test(arguments: FakePortalVersion.allCases)
  func `guests, and requests that count as one, may read nobody`(
    _ version: FakePortalVersion
  ) throws {
    let portal = try startedPortal(version)
    let call = Call.byID(FakePortalUser.ada.userID)
    expectGuestRefused(Visitor(portal).call(call), version)
    expectGuestRefused(Visitor(portal).call(call, as: "ada", "wrong"), version)
    expectGuestRefused(Visitor(portal).call(call, as: "nobody", "wrong"), version)
    expectGuestRefused(Visitor(portal, cookies: ["JSESSIONID": "dead"]).call(call), version)
    #expect(portal.requests.allSatisfy { $0.scheme == .guest && $0.userID == nil })
  }

  @Test(arguments: [
    (Call.byID(123_457), 403, "PrincipalException"), (Call.byID(1), 404, "NoSuchUserException"),
    (Call.byEmail(.ada, company: 1), 404, "NoSuchUserException"),
    (#"[{"/user/sing":{}}]"#, 404, "NoSuchJSONWebServiceException"),
    (#"[{"/user/get-user-by-id":{}}]"#, 404, "NoSuchJSONWebServiceException"),
    (Call.currentUser62, 404, "NoSuchJSONWebServiceException"),
    ("not JSON", 500, "RuntimeException"), ("[1]", 500, "RuntimeException"),
    (#"[{"/user/get-current-user":{}},{"/user/sing":{}}]"#, 404, "NoSuchJSONWebService"),
  ])
  func `a failing call has the status and the type of 7`(
    _ call: String, _ status: Int, _ type: String
  ) throws {
    let portal = try startedPortal()
    let answer = try #require(
      Visitor(portal).call(call, as: "ada", FakePortalUser.ada.password))
    #expect(answer.status == status)
    #expect(answer.text.hasPrefix(#"{"error":{"message":""#))
    #expect(answer.text.contains(type))
  }

  @Test(arguments: [
    (Call.byID(1), #"{"exception":"No User exists with the primary key 1"}"#),
    (Call.byID(123_457), #"{"exception":"com.liferay.portal.security.auth.PrincipalException"}"#),
    ("not JSON", #"{"exception":"The call is not JSON."}"#),
  ])
  func `a failing call is 200 and flat in 6`(_ call: String, _ text: String) throws {
    let portal = try startedPortal(.v62)
    let answer = Visitor(portal).call(call, as: "ada", FakePortalUser.ada.password)
    #expect(answer?.status == 200)
    #expect(answer?.text == text)
  }

  @Test func `6 knows the current user only through its plug-in`() throws {
    let portal = try startedPortal(.v62)
    let password = FakePortalUser.ada.password
    let answer = Visitor(portal).call(Call.currentUser62, as: "ada", password)
    #expect(answer?.text.contains(#""userId":123456"#) == true)
    let plain = Visitor(portal).call(Call.currentUser, as: "ada", password)
    #expect(plain?.text.hasPrefix(#"{"exception":"No JSON web service"#) == true)
  }

  @Test func `only JSON by POST is a call`() throws {
    let portal = try startedPortal()
    #expect(RawClient.ask(portal.port, "GET", "/api/jsonws/invoke")?.status == 405)
    #expect(RawClient.ask(portal.port, "POST", "/api/jsonws/invoke", body: "[]")?.status == 415)
    #expect(RawClient.ask(portal.port, "GET", "/nowhere")?.status == 404)
  }

  @Test func `the fifth wrong password locks the user out until somebody unlocks`() throws {
    let portal = try startedPortal()
    let ada = FakePortalUser.ada
    let visitor = Visitor(portal)
    func isRefused(_ password: String) -> Bool {
      visitor.call(Call.currentUser, as: ada.screenName, password)?.status == 403
    }
    for _ in 1...4 { #expect(isRefused("wrong")) }
    #expect(portal.users.first?.failedLoginAttempts == 4)
    #expect(!isRefused(ada.password))
    #expect(portal.users.first?.failedLoginAttempts == 0)
    for _ in 1...5 { #expect(isRefused("wrong")) }
    #expect(portal.users.first?.isLockedOut == true)
    #expect(isRefused(ada.password))
    portal.change(ada.userID) { $0.isLockedOut = false }
    #expect(!isRefused(ada.password))
  }

  @Test(arguments: FakePortalLoginName.allCases)
  func `a portal may know its users by one name alone`(_ kind: FakePortalLoginName) throws {
    let portal = try startedPortal { $0.loginName = kind }
    let ada = FakePortalUser.ada
    let names = [
      FakePortalLoginName.emailAddress: ada.emailAddress, .screenName: ada.screenName,
      .userID: String(ada.userID),
    ]
    for (other, name) in names {
      let answer = Visitor(portal).call(Call.currentUser, as: name, ada.password)
      #expect((answer?.status == 200) == (kind == .any || kind == other))
    }
  }
}
