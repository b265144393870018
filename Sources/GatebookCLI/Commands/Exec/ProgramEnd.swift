internal import Gatebook
internal import GatebookSystem

/// The end of the program that a token is renewed for: the token is removed, and this process ends.
///
/// A thread of its own waits for it. A renewal that is under way is finished first: without its
/// answer the session could be lost.
struct ProgramEnd: Sendable {
  private enum Work {
    case none
    case renewal
    case over
  }

  private let work: Locked<Work>

  /// Starts to wait.
  ///
  /// - Parameters:
  ///   - program: The handle of the program's process.
  ///   - renewed: What is removed then.
  /// - Throws: `limit.exceeded` when the machine has no thread left.
  init(_ program: Int32, removing renewed: RenewedToken) throws(GatebookError) {
    let work = Locked(Work.none)
    self.work = work
    try PosixThread.detach {
      while FileDescriptor.awaitReadable([program])?.first != true {}
      work.withLock { work in
        renewed.remove()
        if case .none = work { ThisProcess.exitAtOnce(ExitCode.done.rawValue) }
        work = .over
      }
    }
  }

  /// Begins a renewal, if the program still runs.
  func begin() -> Bool {
    work.withLock { work in
      guard case .none = work else { return false }
      work = .renewal
      return true
    }
  }

  /// Puts the renewed token into its place, unless the program has ended.
  func deliver(_ body: () throws -> Void) rethrows {
    try work.withLock { work in
      guard case .renewal = work else { return }
      try body()
    }
  }

  /// Ends a renewal.
  ///
  /// - Returns: Whether the program still runs.
  func finish() -> Bool {
    work.withLock { work in
      guard case .renewal = work else { return false }
      work = .none
      return true
    }
  }
}
