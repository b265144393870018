import Gatebook
import GatebookTestSupport
import Testing

/// A scripted site whose folders each have a realm and a credential of their own, and a neighbor
/// without TLS; one page can be held until the test releases it.
///
/// The folder `/private/` is for the login. `/a/` and `/b/` take the name and password `a` and `b`.
final class RealmServer: Sendable {
  static let site = "https://www.example.test"
  /// Another machine, without TLS.
  static let neighbour = "http://gate.example.test"

  private struct State {
    /// Whether the neighbour asks by Basic, not by Digest.
    var isWeak = false
  }

  private let state: TestBox<State>
  let transport: ScriptedTransport

  init() {
    let state = TestBox(State())
    self.state = state
    transport = ScriptedTransport { request, _ in Self.answer(request, state.value) }
  }

  /// Asks by Basic from now on.
  func weaken() { state.withLock { $0.isWeak = true } }

  static func login() throws -> LoginMethod {
    .http(url: try url("/private/"), user: "ada", password: Secret("lovelace"))
  }

  static func url(_ path: String, at site: String = RealmServer.site) throws -> HTTPURL {
    try #require(HTTPURL(site + path))
  }

  /// Gives each realm its name as name and password.
  static func resolver(_ persistence: ChallengeCredential.Persistence) -> CallbackResolver {
    CallbackResolver { challenge, decide in
      guard case .credentials(_, let realm?) = challenge.question,
        challenge.previousFailureCount == 0
      else { return decide(.performDefaultHandling) }
      decide(
        .useCredential(
          ChallengeCredential(user: realm, password: Secret(realm), persistence: persistence)))
    }
  }

  /// The schemes of what the neighbour was sent, `-` for none.
  var sentToNeighbour: [String] {
    transport.requests.filter { $0.url.origin.host == "gate.example.test" }.map { request in
      request.fields.first("Authorization").map { String($0.prefix { $0 != " " }) } ?? "-"
    }
  }

  private static func answer(_ request: HTTPRequest, _ state: State) -> HTTPReply {
    let authorization = request.fields.first("Authorization") ?? ""
    guard request.url.origin.isSecure else {
      let scheme = state.isWeak ? "Basic" : "Digest"
      guard authorization.hasPrefix(scheme) else {
        return refusal(
          state.isWeak
            ? "Basic realm=\"gate\""
            : "Digest realm=\"gate\", nonce=\"n\", qop=\"auth\", algorithm=SHA-256")
      }
      return HTTPReply(status: 200)
    }
    let realm = String(request.url.path.split(separator: "/").first ?? "")
    let expected = realm == "private" ? "ada:lovelace" : "\(realm):\(realm)"
    guard authorization == "Basic " + Base64.encode(Array(expected.utf8)) else {
      return refusal("Basic realm=\"\(realm)\"")
    }
    return HTTPReply(status: 200)
  }

  private static func refusal(_ challenge: String) -> HTTPReply {
    HTTPReply(status: 401, fields: [HTTPField("WWW-Authenticate", challenge)])
  }
}
