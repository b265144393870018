import Gatebook
import GatebookFakes
import Testing

extension FaultStage {
  /// A stage whose server is a service of OAuth 1.0a: it knows its nonces and whom a request names,
  /// and leaves signatures to other tests.
  static func oauth1() async throws -> FaultStage {
    let world = try TestBook()
    let state = TestBox(SignedState())
    let server = try LoopbackServer(clock: world.clock) { request in
      state.withLock { $0.answer(request) }
    }
    let proxy = try FaultProxy(to: server.port, clock: world.clock)
    try server.start()
    return try await FaultStage(
      world, proxy, server: server, page: .get(try url(proxy, "/me")),
      person: FaultPerson(past: proxy.url, to: server.url), received: { server.requests },
      secrets: { state.value.issued + ["secret of the consumer"] },
      method: {
        .oauth1(
          OAuth1Service(
            requestTokenURL: try url(proxy, "/request"),
            authorisationURL: try url(proxy, "/allow"), accessTokenURL: try url(proxy, "/token")),
          consumer: OAuth1Consumer(key: "app", secret: Secret("secret of the consumer")),
          checkURL: try url(proxy, "/me"), user: "ada", callback: "com.example.app:/back")
      })
  }
}

/// What a service of OAuth 1.0a knows.
private struct SignedState {
  /// All tokens, verifiers and secrets that were ever given.
  private(set) var issued: [String] = []
  private var nonces: Set<String> = []
  private var verifiers: [String: String] = [:]
  private var tokens: Set<String> = []
  private var count = 0

  mutating func answer(_ request: LoopbackRequest) -> LoopbackReply {
    if request.path == "/allow" { return allow(request.queryValue("oauth_token") ?? "") }
    let parameters = Self.parameters(of: request)
    // RFC 5849 section 3.2: a nonce is good once.
    guard let nonce = parameters["oauth_nonce"], nonces.insert(nonce).inserted else {
      return .text("Who are you?\n", status: 401)
    }
    let token = parameters["oauth_token"] ?? ""
    switch request.path {
    case "/request" where token.isEmpty:
      let made = issue("temporary-token")
      verifiers[made] = ""
      return grant(made, "&oauth_callback_confirmed=true")
    case "/token":
      guard let verifier = verifiers.removeValue(forKey: token), !verifier.isEmpty,
        verifier == parameters["oauth_verifier"]
      else { return .text("No.\n", status: 401) }
      let made = issue("lasting-token")
      tokens.insert(made)
      return grant(made, "")
    case "/me" where tokens.contains(token): return .text("private\n")
    default: return .text("Who are you?\n", status: 401)
    }
  }

  private mutating func allow(_ token: String) -> LoopbackReply {
    guard verifiers[token] != nil else { return .html("<p>No.</p>", status: 400) }
    let verifier = issue("verifier")
    verifiers[token] = verifier
    return .redirect(
      to: "com.example.app:/back?oauth_token=\(token)&oauth_verifier=\(verifier)")
  }

  private mutating func grant(_ token: String, _ more: String) -> LoopbackReply {
    .text("oauth_token=\(token)&oauth_token_secret=\(issue("token-secret"))\(more)")
  }

  private mutating func issue(_ name: String) -> String {
    count += 1
    issued.append("\(name)-\(count)")
    return "\(name)-\(count)"
  }

  /// The parameters of the header; the values of these tests need no decoding.
  private static func parameters(of request: LoopbackRequest) -> [String: String] {
    let field = request.fields["Authorization"] ?? ""
    guard field.hasPrefix("OAuth ") else { return [:] }
    let pairs = field.dropFirst(6).split(separator: ",").compactMap { part -> (String, String)? in
      let pieces = part.drop { $0 == " " }.split(separator: "\"", omittingEmptySubsequences: false)
      return pieces.count == 3 ? (String(pieces[0].dropLast()), String(pieces[1])) : nil
    }
    return Dictionary(pairs) { first, _ in first }
  }
}
