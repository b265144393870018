internal import GatebookEvents
internal import GatebookSystem

/// Refuses a book that came into this process by `fork`: SQLite, locks and threads do not survive
/// it.
struct ForkGuard: Sendable {
  private let process = ThisProcess.id

  func check() throws(GatebookError) {
    guard ThisProcess.id == process else {
      throw GatebookError(
        .storageForked, "This book was opened before the process forked.",
        remedy: "Open the book again in the child process.")
    }
  }
}
