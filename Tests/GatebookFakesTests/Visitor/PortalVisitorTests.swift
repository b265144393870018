import Gatebook
import Testing

@testable import GatebookFakes

@Suite struct PortalVisitorTests {
  private let portal: FakeLiferayPortal
  private static let callback = "http://127.0.0.1:8910/callback"

  init() throws {
    portal = try startedPortal()
  }

  private func url(_ callback: String = callback, client: String = "gb-native") -> String {
    "\(portal.url)/o/oauth2/authorize?response_type=code&client_id=\(client)&state=a%26b"
      + "&redirect_uri=\(Visitor.encoded(callback))&code_challenge_method=S256"
      + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
  }

  @Test(arguments: FakePortalVersion.allCases, [true, false])
  func `a person logs in, decides and is sent back`(
    _ version: FakePortalVersion, _ needsToken: Bool
  ) async throws {
    portal.switches.version = version
    portal.switches.needsTokenForLogin = needsToken
    let visitor = PortalVisitor(.ada)
    guard case .redirected(let approved) = try await visitor.visit(url()) else {
      Issue.record("The browser was not sent back.")
      return
    }
    #expect(approved.hasPrefix("\(Self.callback)?code="))
    #expect(approved.hasSuffix("&state=a%26b"))
    #expect(
      try await visitor.visit(url(), .deny)
        == .redirected("\(Self.callback)?error=access_denied&state=a%26b"))
    #expect(portal.requests(to: .login).filter { $0.request.method == "POST" }.count == 1)
    visitor.forgetCookies()
    _ = try await visitor.visit(url())
    #expect(portal.requests(to: .login).filter { $0.request.method == "POST" }.count == 2)
  }

  @Test func `the login page coming back is a refusal`() async throws {
    let visitor = PortalVisitor(name: "ada", password: "wrong")
    #expect(try await visitor.visit(url()) == .loginRefused)
    #expect(portal.users.first?.failedLoginAttempts == 1)
  }

  @Test func `a page with nothing to fill in is the end`() async throws {
    let visitor = PortalVisitor(.ada)
    #expect(try await visitor.visit(url(client: "nobody")) == .page(status: 400))
    #expect(try await visitor.visit(portal.url) == .page(status: 200))
    portal.inject(.status(503), on: .authorize)
    #expect(try await visitor.visit(url()) == .page(status: 503))
  }

  @Test func `the redirect is opened on loopback when asked for`() async throws {
    let listener = try LoopbackServer { _ in .text("Thank you.") }
    try listener.start()
    let callback = "\(listener.url)/callback"
    portal.applications[0].redirectURIs = [callback, "screens://x"]
    let visitor = PortalVisitor(.ada)
    _ = try await visitor.visit(url(callback))
    #expect(listener.requests.isEmpty)
    guard case .redirected(let sent) = try await visitor.visit(url(callback), opensRedirect: true)
    else { return }
    #expect(listener.requests.map { "\(listener.url)\($0.target)" } == [sent])
    #expect(listener.requests.first?.fields["Cookie"] == nil)
    guard case .redirected = try await visitor.visit(url("screens://x"), opensRedirect: true)
    else {
      Issue.record("A redirect to another scheme is no end.")
      return
    }
  }

  @Test func `nobody there, the wrong place and a circle are errors`() async throws {
    let visitor = PortalVisitor(.ada)
    portal.inject(.redirectLoop, on: .root, times: nil)
    func failure(at place: String) async -> FailureCode? {
      do {
        _ = try await visitor.visit(place)
        return nil
      } catch {
        return error.code
      }
    }
    #expect(await failure(at: "https://127.0.0.1/") == .configurationInvalid)
    #expect(await failure(at: "http://example.test/") == .configurationInvalid)
    #expect(await failure(at: portal.url) == .contentUnexpected)
    portal.clearFaults()
    portal.inject(.truncate(after: 10), on: .root)
    #expect(await failure(at: portal.url) == .networkUnreachable)
    portal.stop()
    #expect(await failure(at: portal.url) == .networkUnreachable)
  }

  @Test(arguments: [
    ("http://127.0.0.1:8910/a?b#c", 8910, "/a?b"), ("HTTP://localhost", 80, "/"),
    ("http://127.0.0.1:1?b", 1, "/?b"), ("http://127.0.0.1:99999/", nil, ""),
    ("http://127.0.0.1.evil.example/", nil, ""), ("http://127.0.0.1:x/", nil, ""),
  ])
  func `places are read strictly`(_ url: String, _ port: UInt16?, _ target: String) {
    let place = PlainPlace(url)
    #expect(place?.port == port)
    #expect(place?.target ?? "" == target)
    #expect(PlainPlace("http://127.0.0.1:1/")?.resolve("//evil.example/") == nil)
    #expect(PlainPlace("http://127.0.0.1:1/")?.resolve("http://127.0.0.1:2/") == nil)
  }
}
