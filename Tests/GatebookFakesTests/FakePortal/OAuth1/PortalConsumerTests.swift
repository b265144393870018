import GatebookFakes
import Testing

/// OAuth 1.0a from the first leg to the calls.
@Suite struct PortalConsumerTests {
  private let portal: FakeLiferayPortal
  private let ada = FakePortalUser.ada
  private static let callback = "screens://oauth_callback"
  private static let invoke = "/api/jsonws/invoke"

  init() throws {
    portal = try startedPortal()
  }

  private func visit(
    _ client: ConsumerClient, _ decision: PortalVisitor.Decision = .approve
  ) async throws -> PortalVisitor.Ending {
    let token = ConsumerClient.encoded(client.token?.name ?? "")
    return try await PortalVisitor(ada)
      .visit("\(portal.url)/c/portal/oauth/authorize?oauth_token=\(token)", decision)
  }

  /// A consumer with temporary credentials and the verifier for them.
  private func approved() async throws -> (client: ConsumerClient, verifier: String) {
    var client = ConsumerClient(portal: portal)
    client = try #require(client.taking(client.begin("oob", nonce: "temporary")))
    guard case .verifier(let verifier) = try await visit(client) else { return (client, "") }
    return (client, verifier)
  }

  private func loggedIn() async throws -> ConsumerClient {
    var (client, verifier) = try await approved()
    client = try #require(client.taking(client.exchange(verifier, nonce: "exchange")))
    return client
  }

  private func call(_ client: ConsumerClient, nonce: String) -> Answer? {
    Visitor(portal).call(
      Call.currentUser, authorization: client.authorization("POST", Self.invoke, nonce: nonce))
  }

  @Test(arguments: ["GET", "POST"])
  func `three legs lead to calls in the user's name`(_ method: String) async throws {
    var client = ConsumerClient(portal: portal)
    let begun = try #require(client.begin(Self.callback, by: method))
    #expect(begun.status == 200)
    #expect(begun["Content-Type"] == "application/x-www-form-urlencoded")
    #expect(begun.text.hasSuffix("&oauth_callback_confirmed=true"))
    client = try #require(client.taking(begun))
    let temporary = try #require(client.token)
    #expect(temporary.name.hasSuffix("/+="))
    #expect(temporary.secret.hasSuffix(" %&~"))
    #expect(begun.text.contains("%2F%2B%3D&oauth_token_secret="))
    #expect(begun.text.contains("%20%25%26~&oauth_callback_confirmed"))
    guard case .redirected(let url) = try await visit(client) else {
      Issue.record("The browser was not sent back.")
      return
    }
    #expect(url.hasPrefix("\(Self.callback)?oauth_token="))
    let redirect = LoopbackRequest("GET", url)
    #expect(redirect.queryValue("oauth_token") == temporary.name)
    let verifier = try #require(redirect.queryValue("oauth_verifier"))
    #expect(verifier.hasSuffix("~ %"))
    let exchanged = try #require(client.exchange(verifier))
    #expect(exchanged.status == 200)
    client = try #require(client.taking(exchanged))
    #expect(call(client, nonce: "n3")?.text.contains(#""screenName":"ada""#) == true)
    let scheme = portal.requests.last?.scheme
    #expect(scheme == .oauth1)
    #expect(portal.requests(to: .accessToken).map(\.userID) == [ada.userID])
    let secrets = [temporary.name, temporary.secret, verifier, client.token?.secret ?? ""]
    #expect(Set(portal.secretsIssued).isSuperset(of: secrets))
  }

  @Test(arguments: [
    (["oauth_consumer_key": "nobody"], 401, "consumer_key_unknown"),
    (["oauth_consumer_key": ""], 401, "parameter_absent"),
    (["oauth_signature_method": "PLAINTEXT"], 401, "signature_method_rejected"),
    (["oauth_version": "2.0"], 401, "version_rejected"),
    (["oauth_signature": "bm8="], 401, "signature_invalid"),
    (["oauth_timestamp": ""], 401, "parameter_absent"),
    (["oauth_timestamp": "soon"], 401, "parameter_rejected"),
    (["oauth_nonce": ""], 401, "parameter_absent"),
    (["oauth_callback": ""], 401, "parameter_absent"),
    (["oauth_timestamp": "\(ConsumerClient.now - 301)"], 400, "timestamp_refused"),
    (["oauth_timestamp": "\(ConsumerClient.now + 301)"], 400, "timestamp_refused"),
  ])
  func `a request that is not signed right is refused`(
    _ changes: [String: String], _ status: Int, _ problem: String
  ) {
    let client = ConsumerClient(portal: portal, changes: changes)
    let answer = client.begin("oob")
    #expect(answer?.status == status)
    #expect(answer?.text == "oauth_problem=\(problem)")
    #expect(
      answer?["WWW-Authenticate"] == (status == 401 ? #"OAuth realm="PortalRealm""# : nil))
  }

  @Test(arguments: [-300, 300])
  func `a timestamp may be off by the window, counted by the portal's clock`(_ seconds: Int) {
    var client = ConsumerClient(portal: portal)
    client.changes["oauth_timestamp"] = String(ConsumerClient.now + seconds)
    #expect(client.begin("oob")?.status == 200)
    portal.switches.clockSkew = .seconds(-seconds)
    let refused = client.begin("oob", nonce: "later")
    #expect(refused?.text == "oauth_problem=timestamp_refused")
  }

  @Test func `a nonce is good once, and a wrong secret never`() {
    let client = ConsumerClient(portal: portal)
    #expect(client.begin("oob")?.status == 200)
    #expect(client.begin("oob")?.text == "oauth_problem=nonce_used")
    let other = ConsumerClient(portal: portal, secret: "gb-secret")
    #expect(other.begin("oob", nonce: "x")?.text == "oauth_problem=signature_invalid")
    let twice = client.authorization("POST", "/c/portal/oauth/request_token", nonce: "y")
    let answer = RawClient.ask(
      portal.port, "POST", "/c/portal/oauth/request_token?oauth_nonce=y",
      [("Authorization", twice)])
    #expect(answer?.text == "oauth_problem=parameter_rejected")
  }

  @Test func `a verifier is wanted, once, from the consumer it was made for`() async throws {
    var client = ConsumerClient(portal: portal)
    client = try #require(client.taking(client.begin("oob")))
    #expect(client.exchange("guess", nonce: "a")?.text == "oauth_problem=token_rejected")
    guard case .verifier(let verifier) = try await visit(client) else { return }
    #expect(client.exchange("guess", nonce: "b")?.text == "oauth_problem=verifier_invalid")
    #expect(client.exchange("", nonce: "c")?.text == "oauth_problem=parameter_absent")
    portal.consumers.append(FakePortalConsumer("other", secret: "s"))
    let foreign = ConsumerClient(portal: portal, key: "other", secret: "s", token: client.token)
    #expect(foreign.exchange(verifier, nonce: "d")?.text == "oauth_problem=token_rejected")
    #expect(client.exchange(verifier, nonce: "e")?.status == 200)
    #expect(client.exchange(verifier, nonce: "f")?.text == "oauth_problem=token_rejected")
  }

  @Test func `who denies sends the browser back with a problem, or nowhere`() async throws {
    var client = ConsumerClient(portal: portal)
    client = try #require(client.taking(client.begin("\(Self.callback)?a=1", nonce: "a")))
    let name = ConsumerClient.encoded(client.token?.name ?? "")
    #expect(
      try await visit(client, .deny)
        == .redirected("\(Self.callback)?a=1&oauth_token=\(name)&oauth_problem=permission_denied"))
    #expect(try await visit(client) == .page(status: 400))
    client.token = nil
    client = try #require(client.taking(client.begin("oob", nonce: "b")))
    #expect(try await visit(client, .deny) == .page(status: 200))
  }

  @Test func `refusals may say nothing, and the callback may not be confirmed`() {
    portal.switches.omitsOAuthProblem = true
    let refused = ConsumerClient(portal: portal, secret: "wrong").begin("oob")
    #expect(refused?.status == 401)
    #expect(refused?.text.isEmpty == true)
    portal.switches.callbackConfirmation = "True"
    let client = ConsumerClient(portal: portal)
    #expect(
      client.begin("oob", nonce: "a")?.text.hasSuffix("oauth_callback_confirmed=True") == true)
    portal.switches.callbackConfirmation = nil
    #expect(client.begin("oob", nonce: "b")?.text.contains("confirmed") == false)
  }

  @Test func `calls are refused when signed wrong, twice, or with a token taken back`() async throws
  {
    let client = try await loggedIn()
    #expect(call(client, nonce: "a")?.status == 200)
    let again = call(client, nonce: "a")
    #expect(again?.status == 401)
    #expect(again?.text == "oauth_problem=nonce_used")
    var wrong = client
    wrong.token?.secret = "wrong"
    #expect(call(wrong, nonce: "b")?.text == "oauth_problem=signature_invalid")
    portal.stop()
    try portal.start()
    #expect(call(client, nonce: "c")?.status == 200)
    portal.revokeTokens(of: ada.userID)
    #expect(call(client, nonce: "d")?.text == "oauth_problem=token_rejected")
  }

  @Test(arguments: [("PUT", "request_token"), ("GET", "access_token"), ("PUT", "authorize")])
  func `other methods are not allowed`(_ method: String, _ route: String) {
    #expect(RawClient.ask(portal.port, method, "/c/portal/oauth/\(route)")?.status == 405)
  }
}
