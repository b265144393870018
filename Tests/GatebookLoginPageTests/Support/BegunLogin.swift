import Gatebook

/// A login that a test has begun; a test that takes too long cancels it, so that it ends.
struct BegunLogin: Sendable {
  let task: Task<Result<SessionContext, GatebookError>, Never>

  /// How the login ended.
  var value: Result<SessionContext, GatebookError> {
    get async {
      await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
    }
  }

  /// Cancels it, as an app does.
  func cancel() { task.cancel() }
}
