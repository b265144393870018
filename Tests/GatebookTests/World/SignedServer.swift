import Gatebook
import GatebookTestSupport

/// A scripted service of OAuth 1.0a: keeps nonces and its own clock, and checks who is named.
///
/// It does not check signatures; the tests of the signer do.
final class SignedServer: Sendable {
  private struct State: Sendable {
    var nonces: Set<String> = []
    var ahead: Int64 = 0
    var isRevoked = false
    var reusedNonces = 0
  }

  private let state: TestBox<State>
  let transport: ScriptedTransport

  init(_ clock: FixedClock) {
    let state = TestBox(State())
    self.state = state
    transport = ScriptedTransport { request, _ throws(TransportFailure) in
      state.withLock { Self.answer(request, &$0, now: clock.now().wall.rawValue / 1_000_000) }
    }
  }

  /// How many nonces were seen twice.
  var reusedNonces: Int { state.value.reusedNonces }

  /// Moves the server's clock.
  func setAhead(by seconds: Int64) { state.withLock { $0.ahead = seconds } }

  /// Forgets the token.
  func revoke() { state.withLock { $0.isRevoked = true } }

  private static func answer(
    _ request: HTTPRequest, _ state: inout State, now: Int64
  ) -> HTTPReply {
    let parameters = parameters(of: request)
    guard let nonce = parameters["oauth_nonce"] else { return HTTPReply(status: 401) }
    let time = now + state.ahead
    guard let sent = parameters["oauth_timestamp"].flatMap({ Int64($0) }), abs(sent - time) <= 300
    else { return HTTPReply(status: 400, fields: [HTTPField("Date", date(time))]) }
    guard state.nonces.insert(nonce).inserted else {
      state.reusedNonces += 1
      return HTTPReply(status: 401)
    }
    switch (request.url.path, parameters["oauth_token"]) {
    case ("/request", nil):
      return form("oauth_token=tmp&oauth_token_secret=s&oauth_callback_confirmed=true")
    case ("/token", "tmp") where parameters["oauth_verifier"] == "v":
      return form("oauth_token=tok&oauth_token_secret=s")
    case ("/request", _), ("/token", _): return HTTPReply(status: 401)
    case (_, "tok") where !state.isRevoked:
      return HTTPReply(status: 200, body: Array("private".utf8))
    default: return HTTPReply(status: 401)
    }
  }

  private static func form(_ text: String) -> HTTPReply {
    HTTPReply(status: 200, body: Array(text.utf8))
  }

  /// The parameters of the header; the values of these tests need no decoding.
  private static func parameters(of request: HTTPRequest) -> [String: String] {
    guard let field = request.fields.first("Authorization"), field.hasPrefix("OAuth ") else {
      return [:]
    }
    var parameters: [String: String] = [:]
    for part in field.dropFirst(6).split(separator: ",") {
      let pieces = part.drop { $0 == " " }.split(separator: "\"", omittingEmptySubsequences: false)
      guard pieces.count == 3 else { continue }
      parameters[String(pieces[0].dropLast())] = String(pieces[1])
    }
    return parameters
  }

  /// A moment of January 2, 2026, the time of the tests' clock.
  private static func date(_ seconds: Int64) -> String {
    let second = ((seconds % 86_400) + 86_400) % 86_400
    let parts = [second / 3600, second / 60 % 60, second % 60]
      .map { $0 < 10 ? "0\($0)" : "\($0)" }
    return "Fri, 02 Jan 2026 \(parts[0]):\(parts[1]):\(parts[2]) GMT"
  }
}

extension LoginMethod {
  /// A login at `SignedServer`.
  static func signed(_ site: String = "https://api.example") throws(GatebookError) -> LoginMethod {
    guard let request = HTTPURL("\(site)/request"), let page = HTTPURL("\(site)/allow"),
      let token = HTTPURL("\(site)/token"), let check = HTTPURL("\(site)/me")
    else { throw GatebookError(.configurationInvalid, "No URL.", remedy: "Mend the test.") }
    return .oauth1(
      OAuth1Service(requestTokenURL: request, authorisationURL: page, accessTokenURL: token),
      consumer: OAuth1Consumer(key: "app", secret: Secret("secret")), checkURL: check,
      user: "ada", callback: "app://back")
  }
}
