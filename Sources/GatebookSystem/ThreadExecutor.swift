/// Runs each piece of a task on a thread of its own: for work that blocks for seconds.
///
/// A keyring that asks the person is such work, and scrypt. The shared pool of Swift concurrency
/// has as many threads as the machine has cores; work that blocks there holds up everybody.
///
/// ```swift
/// try await withTaskExecutorPreference(ThreadExecutor()) { try source.open(place, of: book) }
/// ```
///
/// The task stays itself: its cancellation and its local values reach the work.
package final class ThreadExecutor: TaskExecutor {
  /// Makes an executor; it has no thread before it gets work.
  package init() {}

  /// Runs a piece of a task on a new thread; on this one when the machine has no thread left.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    do {
      // Owned by the thread: the executor exists as long as its work.
      try PosixThread.detach { [self] in
        withExtendedLifetime(self) { job.runSynchronously(on: executor) }
      }
    } catch {
      job.runSynchronously(on: executor)
    }
  }
}
