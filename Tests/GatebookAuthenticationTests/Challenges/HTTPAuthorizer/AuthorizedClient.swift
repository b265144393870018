internal import GatebookAuthentication
internal import GatebookCrypto
internal import Testing

/// Drives an authorizer as a sender of requests does.
struct AuthorizedClient {
  static let site = "https://www.example.test"
  static let password = HTTPCredential(user: "ada", .password(Secret("rabbit")))

  var authorizer: HTTPAuthorizer
  /// All requests so far.
  private(set) var sent: [HTTPRequest] = []
  private var draws: UInt64 = 0

  init(
    _ credential: HTTPCredential = password, realm: String? = nil, site: String = site,
    allowsCleartext: Bool = false
  ) throws {
    authorizer = HTTPAuthorizer(
      try HTTPURL.at(site).origin, credential: credential, realm: realm,
      allowsCleartext: allowsCleartext)
  }

  /// Random bytes that are never drawn twice.
  mutating func random() -> [UInt8] {
    draws += 1
    return (0..<16).map { UInt8(truncatingIfNeeded: draws >> UInt64($0 % 8 * 8)) }
  }

  /// Begins a request and does not wait for its reply.
  mutating func begin(
    _ path: String = "/a", method: String = "GET", body: String = "", site: String = site
  ) throws -> HTTPAttempt {
    let request = HTTPRequest(method, try .at(site + path), body: Array(body.utf8))
    return note(authorizer.authorise(request, random: random()))
  }

  /// Hands in a reply: the request to send next, or how it ended.
  mutating func take(
    _ reply: HTTPReply, to attempt: HTTPAttempt
  ) -> (next: HTTPAttempt?, ending: String) {
    switch authorizer.receive(reply, to: attempt, random: random()) {
    case .final: (nil, "final \(reply.status)")
    case .resend(let next): (note(next), "resend")
    case .refused: (nil, "refused")
    case .stale: (nil, "stale")
    case .unhandled(let offered):
      (nil, (["unhandled"] + offered.map(\.scheme)).joined(separator: " "))
    case .untrusted: (nil, "untrusted")
    }
  }

  /// Sends a request, and again as long as the result is `resend`.
  mutating func send(
    _ path: String = "/a", method: String = "GET", body: String = "",
    server: (HTTPRequest) -> HTTPReply
  ) throws -> String {
    var attempt = try begin(path, method: method, body: body)
    while true {
      let outcome = take(server(attempt.request), to: attempt)
      guard let next = outcome.next else { return outcome.ending }
      attempt = next
      try #require(sent.count < 100, "the server keeps the client going round")
    }
  }

  private mutating func note(_ attempt: HTTPAttempt) -> HTTPAttempt {
    sent.append(attempt.request)
    return attempt
  }

  /// What each request carried: nothing, `Basic`, or the nonce and count of Digest.
  var answers: [String] {
    sent.map { request in
      guard let field = request.field("Authorization") else { return "-" }
      guard let parts = DigestServer.parts(of: request) else {
        return String(field.prefix(while: { $0 != " " }))
      }
      return [parts["nonce"], parts["nc"]].compactMap { $0 }.joined(separator: " ")
    }
  }
}
