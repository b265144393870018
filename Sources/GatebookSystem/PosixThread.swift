package import GatebookEvents
internal import Glibc

/// A thread of its own for work that blocks: the shared pool of Swift concurrency must never.
package struct PosixThread: Sendable {
  private let id: pthread_t

  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  /// Starts a thread; somebody must join it.
  ///
  /// - Parameter body: What it does.
  /// - Throws: `limit.exceeded` when the machine has no thread left.
  package init(_ body: @escaping @Sendable () -> Void) throws(GatebookError) {
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, work.toOpaque())
    guard status == 0 else {
      work.release()
      throw GatebookError(
        .limitExceeded, "This machine cannot start another thread.",
        kept: "What was recorded is kept.",
        remedy: "End other programs, then try again.", cause: String(cString: strerror(status)))
    }
    id = thread
  }

  /// Waits until the thread has ended; once.
  package func join() {
    pthread_join(id, nil)
  }

  /// Starts a thread that nobody joins.
  ///
  /// - Parameter body: What it does.
  /// - Throws: `limit.exceeded` when the machine has no thread left.
  package static func detach(_ body: @escaping @Sendable () -> Void) throws(GatebookError) {
    pthread_detach(try PosixThread(body).id)
  }
}
