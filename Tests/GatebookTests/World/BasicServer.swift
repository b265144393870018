import Gatebook
import GatebookTestSupport

/// A scripted server with one private page that needs Basic, one public page, and ways to
/// misbehave.
final class BasicServer: Sendable {
  enum Mood: Sendable {
    case healthy
    case down
    case status(Int)
    case html
    case redirect(String)
  }

  private let mood = TestBox(Mood.healthy)
  private let password: TestBox<String>
  let transport: ScriptedTransport

  init(user: String = "ada", password: String = "lovelace") {
    self.password = TestBox(password)
    transport = ScriptedTransport {
      [mood, secret = self.password] request, _ throws(TransportFailure) in
      try Self.answer(request, mood.value, user: user, password: secret.value)
    }
  }

  func set(_ mood: Mood) { self.mood.value = mood }

  func change(password: String) { self.password.value = password }

  private static func answer(
    _ request: HTTPRequest, _ mood: Mood, user: String, password: String
  ) throws(TransportFailure) -> HTTPReply {
    switch mood {
    case .down:
      throw TransportFailure(
        GatebookError(.networkUnreachable, "down", remedy: "wait"), delivery: .notSent)
    case .status(let status): return HTTPReply(status: status)
    case .html: return HTTPReply(status: 200, body: Array("<html>".utf8))
    case .redirect(let location):
      return HTTPReply(status: 302, fields: [HTTPField("Location", location)])
    case .healthy: break
    }
    if request.url.path == "/public" { return HTTPReply(status: 200) }
    let expected = "Basic " + Base64.encode(Array("\(user):\(password)".utf8))
    guard request.fields.first("Authorization") == expected else {
      return HTTPReply(
        status: 401, fields: [HTTPField("WWW-Authenticate", "Basic realm=\"private\"")])
    }
    return HTTPReply(status: 200, body: Array("secret".utf8))
  }
}
