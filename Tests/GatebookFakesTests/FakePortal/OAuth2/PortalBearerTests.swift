import GatebookFakes
import Testing

/// Access tokens at work, and how they are taken back.
@Suite struct PortalBearerTests {
  private let portal: FakeLiferayPortal
  private let visitor: Visitor
  private let ada = FakePortalUser.ada
  private static let application = FakePortalApplication.confidential
  private static let basic = (name: application.clientID, password: application.secret ?? "")

  init() throws {
    portal = try startedPortal()
    visitor = Visitor(portal)
  }

  private func logIn() -> Answer? {
    visitor.post(
      "/o/oauth2/token",
      ["grant_type": "password", "username": "ada", "password": ada.password], basic: Self.basic)
  }

  private func status(_ token: String?) -> Int? {
    visitor.call(Call.currentUser, authorization: "Bearer \(token ?? "")")?.status
  }

  private func revoke(_ token: String?) -> Answer? {
    visitor.post("/o/oauth2/revoke", ["token": token ?? ""], basic: Self.basic)
  }

  @Test func `a token opens calls for its user, whatever the session says`() {
    let token = logIn()?.member("access_token") ?? ""
    visitor.logIn(.ben)
    let answer = visitor.call(Call.currentUser, authorization: "bearer \(token)")
    #expect(answer?.text.contains(#""screenName":"ada""#) == true)
    #expect(portal.requests.last?.scheme == .bearer)
    #expect(portal.requests.last?.userID == ada.userID)
  }

  @Test(arguments: ["Bearer ", "Bearer x", "Bearer  "])
  func `an unknown token is refused or a guest's`(_ authorization: String) {
    let refused = visitor.call(Call.currentUser, authorization: authorization + "y")
    #expect(refused?.status == 401)
    #expect(
      refused?["WWW-Authenticate"] == #"Bearer realm="PortalRealm", error="invalid_token""#)
    portal.switches.takesBadBearerForGuest = true
    let guest = visitor.call(Call.currentUser, authorization: authorization + "y")
    #expect(guest?.status == 403)
    #expect(guest?.text.contains("java.lang.SecurityException") == true)
    portal.switches.version = .v62
    let old = visitor.call(Call.currentUser62, authorization: authorization + "y")
    #expect(old?.text == #"{"exception":"Authenticated access required"}"#)
  }

  @Test func `revocation is there by switch alone`() {
    let answer = logIn()
    #expect(revoke(answer?.member("access_token"))?.status == 404)
    #expect(status(answer?.member("access_token")) == 200)
  }

  @Test func `an access token goes alone, a refresh token takes it along`() {
    portal.switches.hasRevocation = true
    let (first, second) = (logIn(), logIn())
    #expect(revoke(first?.member("access_token"))?.status == 200)
    #expect(status(first?.member("access_token")) == 401)
    let pairs: Visitor.Pairs = [
      "grant_type": "refresh_token", "refresh_token": first?.member("refresh_token") ?? "",
    ]
    #expect(visitor.post("/o/oauth2/token", pairs, basic: Self.basic)?.status == 200)
    #expect(revoke(second?.member("refresh_token"))?.text.isEmpty == true)
    #expect(status(second?.member("access_token")) == 401)
    #expect(revoke("unknown")?.status == 200)
    #expect(visitor.ask("GET", "/o/oauth2/revoke")?.status == 405)
  }

  @Test func `nobody takes back what is another client's`() {
    portal.switches.hasRevocation = true
    let token = logIn()?.member("access_token")
    let foreign = visitor.post(
      "/o/oauth2/revoke", ["token": token ?? "", "client_id": "gb-native"])
    #expect(foreign?.status == 200)
    #expect(status(token) == 200)
    let wrong = visitor.post(
      "/o/oauth2/revoke", ["token": token ?? ""], basic: (Self.basic.name, "wrong"))
    #expect(wrong?.status == 401)
    #expect(status(token) == 200)
  }

  @Test func `a test takes tokens back by user`() {
    let token = logIn()?.member("access_token")
    portal.revokeTokens(of: FakePortalUser.ben.userID)
    #expect(status(token) == 200)
    #expect(portal.tokens.map(\.userID) == [ada.userID])
    portal.revokeTokens(of: ada.userID)
    #expect(status(token) == 401)
    #expect(portal.tokens.isEmpty)
  }

  @Test func `documents are not opened by a token`() {
    let token = logIn()?.member("access_token") ?? ""
    let field = [("Authorization", "Bearer \(token)")]
    #expect(visitor.ask("GET", "/documents/1", field)?.status == 403)
  }
}
