/// What one caller of a flow waits for; only the authorization manager touches it.
final class FlowPromise {
  /// The check whose outcome is enough for this caller; `nil` waits for the flow's end.
  let check: String?
  private var result: Result<Authorization, GatebookError>?
  private var continuation: CheckedContinuation<Result<Authorization, GatebookError>, Never>?

  init(check: String?) {
    self.check = check
  }

  /// Ends the wait; the first result counts.
  func fulfil(_ result: Result<Authorization, GatebookError>) {
    guard self.result == nil else { return }
    self.result = result
    continuation?.resume(returning: result)
    continuation = nil
  }

  func wait(_ continuation: CheckedContinuation<Result<Authorization, GatebookError>, Never>) {
    if let result {
      continuation.resume(returning: result)
    } else {
      self.continuation = continuation
    }
  }
}
