internal import GatebookEvents
internal import Glibc

extension GatebookError {
  /// A thread that could not be made.
  ///
  /// - Parameter status: The status of `pthread_create`.
  /// - Returns: `limit.exceeded`.
  static func noThread(_ status: Int32) -> GatebookError {
    GatebookError(
      .limitExceeded, "The machine has no thread left for the book.",
      kept: "What was recorded stays.",
      remedy: "End other programs, then try again.", cause: String(cString: strerror(status)))
  }
}
