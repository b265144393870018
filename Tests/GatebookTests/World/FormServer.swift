import Gatebook
import GatebookTestSupport
import Testing

/// A scripted server with a login form; one of its pages can be held until the test lets it go.
final class FormServer: Sendable {
  private struct State {
    var session = 0
    var isOpen = false
    var logins = 0
    var held: String?
    var waiting: CheckedContinuation<HTTPReply, Never>?
    var arrival: CheckedContinuation<Void, Never>?
  }

  private let state: TestBox<State>
  let transport: ScriptedTransport

  init() {
    let state = TestBox(State())
    self.state = state
    transport = ScriptedTransport { request, _ throws(TransportFailure) in
      guard state.value.held == request.url.path else { return Self.answer(request, state) }
      return await withCheckedContinuation { waiting in
        let arrival = state.withLock { state in
          state.waiting = waiting
          defer { state.arrival = nil }
          return state.arrival
        }
        arrival?.resume()
      }
    }
  }

  var logins: Int { state.value.logins }

  func login(mayLogInAgain: Bool = true) throws -> LoginMethod {
    .form(
      loginURL: try url("/login"), checkURL: try url("/check"), user: "ada",
      password: Secret("lovelace"), mayLogInAgain: mayLogInAgain)
  }

  func url(_ path: String) throws -> HTTPURL {
    try #require(HTTPURL("http://127.0.0.1:8080\(path)"))
  }

  func endSessions() { state.withLock { $0.isOpen = false } }

  /// The next request for this page gets no answer before `release`.
  func hold(_ path: String?) { state.withLock { $0.held = path } }

  /// Waits until the page that is held was asked for.
  func arrival() async {
    await withCheckedContinuation { arrival in
      let isThere = state.withLock { state in
        if state.waiting == nil { state.arrival = arrival }
        return state.waiting != nil
      }
      if isThere { arrival.resume() }
    }
  }

  func release(_ reply: HTTPReply) {
    let waiting = state.withLock { state in
      defer { (state.waiting, state.held) = (nil, nil) }
      return state.waiting
    }
    waiting?.resume(returning: reply)
  }

  private static func answer(_ request: HTTPRequest, _ state: TestBox<State>) -> HTTPReply {
    let path = request.url.path
    if path == "/login", request.method == "POST" {
      state.withLock { state in
        state.logins += 1
        state.session += 1
        state.isOpen = true
      }
      return HTTPReply(
        status: 302,
        fields: [
          HTTPField("Location", "/check"),
          HTTPField("Set-Cookie", "sid=\(state.value.session); Path=/"),
        ])
    }
    if path == "/form" { return HTTPReply(status: 200) }
    // A server that keeps its sessions in the cookie alone can only delete it.
    if path == "/logout" {
      return HTTPReply(
        status: 302,
        fields: [
          HTTPField("Location", "/form"), HTTPField("Set-Cookie", "sid=; Max-Age=0; Path=/"),
        ])
    }
    let cookies = request.fields.first("Cookie") ?? ""
    guard state.value.isOpen, cookies.contains("sid=\(state.value.session)") else {
      return HTTPReply(status: 302, fields: [HTTPField("Location", "/form")])
    }
    if path == "/corner" { return HTTPReply(status: 302, fields: [HTTPField("Location", "/page")]) }
    guard path.hasPrefix("/set/") else { return HTTPReply(status: 200, body: Array("ok".utf8)) }
    return HTTPReply(
      status: 200, fields: [HTTPField("Set-Cookie", "\(path.dropFirst(5))=1; Path=/")])
  }
}
