import Gatebook
import GatebookTestSupport

/// A proxy before a server that refuses the next requests with a challenge of the test's choice.
final class Doorman: Sendable {
  private struct State {
    var refusals: [HTTPReply] = []
    /// The only path that is refused; `nil` for each.
    var path: String?
    var refused: [String] = []
  }

  private let state: TestBox<State>
  let transport: ScriptedTransport

  init(before server: any Transport) {
    let state = TestBox(State())
    self.state = state
    transport = ScriptedTransport { request, route throws(TransportFailure) in
      let refusal = state.withLock { state -> HTTPReply? in
        guard !state.refusals.isEmpty, state.path ?? request.url.path == request.url.path
        else { return nil }
        state.refused.append(request.fields.first("Authorization") ?? "-")
        return state.refusals.removeFirst()
      }
      if let refusal { return refusal }
      return try await server.send(request, through: route)
    }
  }

  /// What the refused requests had for `Authorization`, `-` for none.
  var refused: [String] { state.value.refused }

  /// Refuses so many requests, of one path or of all.
  func refuse(
    _ challenges: String..., status: Int = 401, body: String = "", times: Int = 1,
    of path: String? = nil
  ) {
    let fields = challenges.map { HTTPField("WWW-Authenticate", $0) }
    let reply = HTTPReply(status: status, fields: fields, body: Array(body.utf8))
    state.withLock { state in
      state.refusals = Array(repeating: reply, count: times)
      state.path = path
    }
  }
}
