import Gatebook
import GatebookTestSupport
import Glibc
import Testing

/// A server of OAuth 2 on a machine of its own: its tokens end by the time that has really passed,
/// whatever the clocks of its clients show.
final class TokenServer: Sendable {
  /// How it behaves.
  struct Settings {
    var lifetime: Duration? = .seconds(600)
    /// What it says of the life of its tokens; `nil`: the truth.
    var tellsLifetime: Int?
    var givesRefreshTokens = true
    /// Whether a renewal gives another refresh token and spends the one that was sent.
    var rotates = true
    /// How far its clock is ahead of the client's when the client's is right.
    var skew = Duration.zero
    /// How long the answer of the token endpoint is on its way.
    var delay = Duration.zero
    /// How long the answer of the page about the user is on its way.
    var pageDelay = Duration.zero
    var tokenType = "Bearer"
    /// What it grants; `nil`: it does not say.
    var scope: String?
    var isDown = false
    /// Whether the token endpoint answers 503.
    var isInTrouble = false
    /// Whether the token endpoint is somewhere else: 404.
    var isMisplaced = false
    /// Whether it takes no password any more.
    var refusesPasswords = false
    /// What it answers to a password in the place of tokens.
    var passwordAnswer: HTTPReply?
    /// The only grant whose questions stop before the gate; `nil` for all.
    var gatedGrant: String?
    /// How many questions to the token endpoint get lost before the server acts.
    var lostQuestions = 0
    /// How many answers of the token endpoint get lost.
    var lostAnswers = 0
    /// How many answers of the token endpoint end after their header, which gives no length.
    var cutAnswers = 0
    /// Whom the page about the user names.
    var subject = "248"
    /// What the token endpoint answers in place of everything else.
    var answer: HTTPReply?
  }

  private struct Issued {
    var count = 0
    /// When each access token ends.
    var ends: [String: Duration] = [:]
    var refreshTokens: Set<String> = []
  }

  static let site = "https://auth.example"

  let clock: FixedClock
  private let start: Timestamp
  /// What has really passed since the server was made.
  private let passed = TestBox(Duration.zero)
  private let box = TestBox(Settings())
  private let issued = TestBox(Issued())
  private let grants = TestBox<[String]>([])
  private let spent = TestBox<[String]>([])
  private let received = TestBox(0)
  private let requests = TestBox<[HTTPRequest]>([])
  /// Held up before the server acts.
  let gate = Gate(isOpen: true)

  /// A new book, and a server of its own on one clock with it.
  static func stage() async throws -> (world: TestBook, server: TokenServer, book: SessionBook) {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    return (world, server, try await world.open(server.transport))
  }

  init(_ clock: FixedClock) {
    self.clock = clock
    start = clock.now().wall
  }

  var settings: Settings {
    get { box.value }
    set { box.value = newValue }
  }

  /// The grants that the token endpoint was asked for, refused ones included.
  var asked: [String] { grants.value }

  /// How many requests came to the token endpoint, or were lost on their way there.
  var tokenRequests: Int { received.value }

  /// The refresh tokens that it was sent, in their order.
  var refreshTokensSent: [String] { spent.value }

  /// The requests for one path that it has answered.
  func sent(_ path: String) -> [HTTPRequest] { requests.value.filter { $0.url.path == path } }

  /// Lets time pass, here and at the client.
  func advance(_ seconds: Int) {
    passed.withLock { $0 += .seconds(seconds) }
    clock.advance(by: .seconds(seconds))
  }

  /// Restarts the client's machine, which takes some time.
  func restart(after seconds: Int, wallShows error: Duration) {
    passed.withLock { $0 += .seconds(seconds) }
    let truth = start + passed.value
    clock.restart(showing: truth + error, after: .seconds(min(seconds, 10)))
  }

  /// Rejects all sessions that it accepted before.
  func forgetRefreshTokens() { issued.withLock { $0.refreshTokens = [] } }

  /// Rejects all access tokens that it has issued.
  func endTokens() { issued.withLock { $0.ends = [:] } }

  private static var lost: TransportFailure {
    TransportFailure(
      GatebookError(.networkUnreachable, "It was lost.", remedy: "Try again."),
      delivery: .maybeSent)
  }

  var transport: ScriptedTransport { transport(isGated: true) }

  /// The way to it.
  ///
  /// - Parameter isGated: Whether questions to the token endpoint stop before the gate.
  /// - Returns: A transport that knows no other server.
  func transport(isGated: Bool) -> ScriptedTransport {
    ScriptedTransport { [self] request, _ throws(TransportFailure) in
      guard !settings.isDown else {
        throw TransportFailure(
          GatebookError(.networkUnreachable, "It is down.", remedy: "Wait."), delivery: .notSent)
      }
      let isToken = request.url.path == "/token"
      if isGated, isToken, isGatedGrant(request) { await gate.pass() }
      if isToken { received.withLock { $0 += 1 } }
      if isToken, settings.lostQuestions > 0 {
        settings.lostQuestions -= 1
        throw Self.lost
      }
      requests.withLock { $0.append(request) }
      var reply = answer(request)
      if isToken, settings.lostAnswers > 0 {
        settings.lostAnswers -= 1
        throw Self.lost
      }
      if isToken, settings.cutAnswers > 0 {
        settings.cutAnswers -= 1
        reply = HTTPReply(status: 200)
      } else if reply.body.isEmpty {
        reply.fields.append(HTTPField("Content-Length", "0"))
      }
      reply.fields.append(HTTPField("Date", date()))
      let delay = isToken ? settings.delay : settings.pageDelay
      advance(Int(delay.components.seconds))
      return reply
    }
  }

  private func isGatedGrant(_ request: HTTPRequest) -> Bool {
    guard let grant = settings.gatedGrant else { return true }
    return FormFields(decoding: request.body)?["grant_type"] == grant
  }

  private func answer(_ request: HTTPRequest) -> HTTPReply {
    let token = request.fields.first("Authorization")?.split(separator: " ").last.map(String.init)
    let isLive = token.flatMap { issued.value.ends[$0] }.map { passed.value < $0 } ?? false
    if request.url.path == "/token", let answer = settings.answer { return answer }
    switch request.url.path {
    case "/token" where settings.isInTrouble: return HTTPReply(status: 503)
    case "/token" where settings.isMisplaced: return HTTPReply(status: 404)
    case "/token": return grant(request)
    case "/me" where isLive:
      return HTTPReply(status: 200, body: Array("{\"sub\":\"\(settings.subject)\"}".utf8))
    case "/data" where isLive: return HTTPReply(status: 200)
    default: return HTTPReply(status: 401)
    }
  }

  private func grant(_ request: HTTPRequest) -> HTTPReply {
    let form = FormFields(decoding: request.body)
    let settings = settings
    grants.withLock { $0.append(form?["grant_type"] ?? "") }
    if form?["grant_type"] == "password", let answer = settings.passwordAnswer { return answer }
    if form?["grant_type"] == "password", settings.refusesPasswords {
      return HTTPReply(status: 400, body: Array("{\"error\":\"invalid_grant\"}".utf8))
    }
    if let token = form?["refresh_token"] {
      spent.withLock { $0.append(token) }
      // They rotate: the old one is dead before the answer leaves.
      let isKnown = issued.withLock { issued in
        settings.rotates
          ? issued.refreshTokens.remove(token) != nil : issued.refreshTokens.contains(token)
      }
      guard isKnown else {
        return HTTPReply(status: 400, body: Array("{\"error\":\"invalid_grant\"}".utf8))
      }
    }
    let now = passed.value
    let givesRefreshTokens =
      settings.givesRefreshTokens && (settings.rotates || form?["refresh_token"] == nil)
    let number = issued.withLock { issued in
      issued.count += 1
      issued.ends["acc-\(issued.count)"] = now + (settings.lifetime ?? .seconds(86_400))
      if givesRefreshTokens { issued.refreshTokens.insert("ref-\(issued.count)") }
      return issued.count
    }
    var body = "{\"access_token\":\"acc-\(number)\",\"token_type\":\"\(settings.tokenType)\""
    if let lifetime = settings.lifetime {
      body += ",\"expires_in\":\(settings.tellsLifetime ?? Int(lifetime.components.seconds))"
    }
    if givesRefreshTokens { body += ",\"refresh_token\":\"ref-\(number)\"" }
    if let scope = settings.scope { body += ",\"scope\":\"\(scope)\"" }
    return HTTPReply(status: 200, body: Array((body + "}").utf8))
  }

  /// RFC 9110 section 5.6.7.
  private func date() -> String {
    var seconds = time_t((start + passed.value + settings.skew).rawValue / 1_000_000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  // MARK: The client

  /// A login by password; the server names the user.
  func method(
    scopes: [String] = [], demandsBoundTokens: Bool = false, hasPage: Bool = false
  ) throws -> LoginMethod {
    var server = OAuth2Server()
    if hasPage { server.authorisationURL = HTTPURL("\(Self.site)/login") }
    server.userInfoURL = HTTPURL("\(Self.site)/me")
    var application = OAuth2Application(clientID: "app", scopes: scopes)
    application.bindsTokens = demandsBoundTokens
    application.demandsBoundTokens = demandsBoundTokens
    return .oauth2(
      tokenURL: try #require(HTTPURL("\(Self.site)/token")), server, application: application,
      flow: .password(user: "ada", Secret("rabbit")))
  }

  /// A login on its page.
  func pageMethod() throws -> LoginMethod {
    var server = OAuth2Server()
    server.authorisationURL = HTTPURL("\(Self.site)/login")
    server.userInfoURL = HTTPURL("\(Self.site)/me")
    return .oauth2(
      tokenURL: try #require(HTTPURL("\(Self.site)/token")), server,
      application: OAuth2Application(clientID: "app"),
      flow: .code(redirectURI: "com.example.app:/back"))
  }

  /// Where the page sends the browser back to when the person has agreed.
  static func redirect(of pending: PendingLogin) throws -> String {
    let state = try #require(
      "\(pending.page)".split(separator: "&").first { $0.hasPrefix("state=") })
    return "com.example.app:/back?code=c0de&\(state)"
  }

  /// A page that only a live token opens.
  func page() throws -> HTTPRequest { .get(try #require(HTTPURL("\(Self.site)/data"))) }

  /// A page that no token opens.
  func closedPage() throws -> HTTPRequest { .get(try #require(HTTPURL("\(Self.site)/closed"))) }
}
