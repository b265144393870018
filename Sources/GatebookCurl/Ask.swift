internal import GatebookAuthentication
internal import GatebookSystem

/// One request whose caller waits; answered exactly once.
final class Ask: Sendable {
  typealias Answer = Result<HTTPReply, TransportFailure>
  typealias Continuation = CheckedContinuation<Answer, Never>

  private struct State {
    var continuation: Continuation?
    var isWithdrawn = false
  }

  let request: HTTPRequest
  let route: Route
  private let state = Locked(State())

  init(_ request: HTTPRequest, _ route: Route) {
    self.request = request
    self.route = route
  }

  /// Whether the caller has cancelled.
  var isWithdrawn: Bool { state.withLock { $0.isWithdrawn } }

  /// Takes the waiting caller; answers him at once, and says no, when he has already cancelled.
  func wait(with continuation: Continuation) -> Bool {
    let isWithdrawn = state.withLock {
      $0.continuation = continuation
      return $0.isWithdrawn
    }
    if isWithdrawn {
      answer(.failure(.cancelled(request.url.origin, .notSent)))
    }
    return !isWithdrawn
  }

  /// Notes that the caller has cancelled; the answer still has to come.
  func withdraw() {
    state.withLock { $0.isWithdrawn = true }
  }

  /// Answers the caller; later answers are dropped.
  func answer(_ answer: Answer) {
    let waiting = state.withLock { $0.continuation.take() }
    waiting?.resume(returning: answer)
  }
}
