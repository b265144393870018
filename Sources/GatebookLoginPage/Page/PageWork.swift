internal import Gatebook
internal import GatebookSystem

/// A login that the person can cancel, also before it has begun.
final class PageWork: Sendable {
  private struct State: Sendable {
    var task: Task<Result<SessionContext, GatebookError>, Never>?
    var isCancelled = false
  }

  private let body: @Sendable () async -> Result<SessionContext, GatebookError>
  private let state = Locked(State())

  /// Prepares a login.
  init(_ body: @escaping @Sendable () async -> Result<SessionContext, GatebookError>) {
    self.body = body
  }

  /// Makes the login; once.
  func run() async -> Result<SessionContext, GatebookError> {
    let body = body
    let task = Task { await body() }
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
    return await task.value
  }

  /// Cancels it.
  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }
}
