internal import GatebookAuthentication
internal import GatebookSystem

/// One request whose caller waits; answered exactly once.
// Unchecked: the lock guards what changes. Not `Locked`, which is generic: it copies such values by
// their metadata.
final class Ask: @unchecked Sendable {
  typealias Answer = Result<HTTPReply, TransportFailure>
  typealias Continuation = CheckedContinuation<Answer, Never>

  let request: HTTPRequest
  let route: Route
  private let lock = Condition()
  private var continuation: Continuation?
  private var isCancelled = false

  init(_ request: HTTPRequest, _ route: Route) {
    self.request = request
    self.route = route
  }

  /// Whether the caller has cancelled.
  var isWithdrawn: Bool {
    lock.lock()
    defer { lock.unlock() }
    return isCancelled
  }

  /// Takes the waiting caller; answers him at once, and says no, when he has already cancelled.
  func wait(with continuation: Continuation) -> Bool {
    lock.lock()
    self.continuation = continuation
    let isWithdrawn = isCancelled
    lock.unlock()
    if isWithdrawn {
      answer(.failure(.cancelled(request.url.origin, .notSent)))
    }
    return !isWithdrawn
  }

  /// Notes that the caller has cancelled; the answer still has to come.
  func withdraw() {
    lock.lock()
    isCancelled = true
    lock.unlock()
  }

  /// Answers the caller; later answers are dropped.
  func answer(_ answer: Answer) {
    lock.lock()
    let waiting = continuation.take()
    lock.unlock()
    waiting?.resume(returning: answer)
  }
}
