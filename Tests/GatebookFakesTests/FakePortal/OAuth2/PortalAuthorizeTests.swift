import GatebookFakes
import Testing

/// The page where a user lets an OAuth 2 application in.
@Suite struct PortalAuthorizeTests {
  private let portal: FakeLiferayPortal
  private let visitor: Visitor
  private let ada = FakePortalUser.ada
  private static let page = "/o/oauth2/authorize"
  private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
  private static let right =
    "response_type=code&client_id=gb-native&redirect_uri=screens%3A%2F%2Foauth2_callback"
    + "&state=s%2B1&code_challenge=\(challenge)&code_challenge_method=S256"

  init() throws {
    portal = try startedPortal()
    visitor = Visitor(portal)
  }

  private func ask(_ query: String = right) -> Answer? {
    visitor.ask("GET", "\(Self.page)?\(query)")
  }

  @Test(arguments: [
    right.replacing("gb-native", with: "nobody"),
    right.replacing("client_id=gb-native&", with: ""),
    right.replacing("oauth2_callback", with: "oauth2_callback%2F"),
    right.replacing("screens%3A", with: "SCREENS%3A"),
    right.replacing("&redirect_uri=screens%3A%2F%2Foauth2_callback", with: ""),
    right + "&redirect_uri=screens%3A%2F%2Foauth2_callback", right + "&state=other",
  ])
  func `nobody is sent to an address that is not the client's`(_ query: String) {
    visitor.logIn(ada)
    let answer = ask(query)
    #expect(answer?.status == 400)
    #expect(answer?["Location"] == nil)
  }

  @Test(arguments: [
    (right.replacing("=code&client", with: "=token&client"), "unsupported_response_type"),
    (right.replacing("&code_challenge_method=S256", with: ""), "invalid_request"),
    (right.replacing("S256", with: "plain"), "invalid_request"),
    (right.replacing("code_challenge=E9Mel", with: "code_challenge="), "invalid_request"),
    (
      String(right[..<(right.firstRange(of: "&code_ch")?.lowerBound ?? right.endIndex)]),
      "invalid_request"
    ),
    (right + "&scope=", "invalid_scope"), (right + "&scope=everything.read%20x", "invalid_scope"),
  ])
  func `other mistakes are reported to the client`(_ query: String, _ error: String) {
    let answer = ask(query)
    #expect(answer?.status == 302)
    #expect(
      answer?["Location"] == "screens://oauth2_callback?error=\(error)&state=s%2B1")
  }

  @Test func `an application may not have the grant`() {
    portal.applications[0].grants = [.password]
    #expect(ask()?.sent("error") == "unauthorized_client")
  }

  @Test func `who is not logged in is led through the login and back`() throws {
    let first = ask()
    let target = "\(Self.page)?\(Self.right)"
    #expect(first?.status == 302)
    #expect(first?["Location"]?.hasPrefix("/c/portal/login?redirect=%2Fo%2Foauth2") == true)
    #expect(first?.sent("redirect") == target)
    let page = visitor.follow(first)
    #expect(page?.text.contains("<input type=\"password\" name=\"password\"") == true)
    #expect(page?.text.contains(target.replacing("&", with: "&amp;")) == true)
    let more = "&redirect=\(Visitor.encoded(target))"
    let wrong = visitor.submit("ada", "wrong", more)
    #expect(wrong?.sent("redirect") == target)
    #expect(wrong?.sent("error") == "authentication-failed")
    #expect(visitor.submit("ada", ada.password, more)?["Location"] == target)
    let question = ask()
    #expect(question?.status == 200)
    #expect(question?.text.contains("May the application gb-native act for you, Ada?") == true)
    #expect(portal.requests(to: .authorize).map(\.userID) == [nil, ada.userID])
  }

  @Test func `who approves sends a code, who denies an error, both with the state`() throws {
    visitor.logIn(ada)
    let approved = visitor.decide(ask(), "approve", at: Self.page)
    #expect(approved?.status == 302)
    let code = try #require(approved?.sent("code"))
    #expect(
      approved?["Location"] == "screens://oauth2_callback?code=\(code)&state=s%2B1")
    #expect(portal.secretsIssued.contains(code))
    let denied = visitor.decide(ask(), "deny", at: Self.page)
    #expect(
      denied?["Location"] == "screens://oauth2_callback?error=access_denied&state=s%2B1")
  }

  @Test func `without a state none comes back, and a query is continued`() {
    visitor.logIn(ada)
    let query =
      "response_type=code&client_id=gb-confidential&redirect_uri="
      + Visitor.encoded("https://app.example.test/callback?from=portal")
    let location = visitor.decide(ask(query), "approve", at: Self.page)?["Location"]
    #expect(location?.hasPrefix("https://app.example.test/callback?from=portal&code=") == true)
    #expect(location?.contains("state") == false)
  }

  @Test func `a question is answered once, with its session's token, by yes or no`() {
    visitor.logIn(ada)
    let question = ask()
    let stranger = Visitor(portal)
    stranger.logIn(.ben)
    #expect(stranger.decide(question, "approve", at: Self.page)?.status == 403)
    #expect(visitor.decide(question, "perhaps", at: Self.page)?.status == 403)
    let other = Visitor(portal, cookies: visitor.cookies)
    #expect(other.decide(question, "approve", at: Self.page)?.status == 403)
    #expect(visitor.decide(question, "approve", at: Self.page)?.status == 302)
    #expect(visitor.decide(question, "approve", at: Self.page)?.status == 403)
    #expect(visitor.ask("PUT", Self.page)?.status == 405)
  }
}
