internal import CSQLite
package import GatebookEvents
internal import GatebookSystem

extension GatebookError {
  /// SQLite's status as one of Gatebook's storage failures; SQL and values never appear.
  static func sqlite(_ status: Int32, _ handle: OpaquePointer?) -> GatebookError {
    // SQLite keeps the system's error number for its statements, but not for `COMMIT`.
    let last = SystemError.last
    let kept = SystemError(handle.map { sqlite3_system_errno($0) } ?? 0)
    let system = kept == .none && status & 0xFF == SQLITE_IOERR ? last : kept
    let reason = system == .none ? "" : "; \(system.text)"
    let cause = "SQLite \(status): \(String(cString: sqlite3_errstr(status)))\(reason)"
    switch (status & 0xFF, system) {
    case (SQLITE_FULL, _), (SQLITE_IOERR, .noSpace), (SQLITE_IOERR, .overQuota),
      (SQLITE_IOERR, .fileTooLarge), (SQLITE_CANTOPEN, .noSpace), (SQLITE_CANTOPEN, .overQuota):
      return .storageFull(cause: cause)
    case (SQLITE_READONLY, _):
      return GatebookError(
        .storageReadOnly, "The book cannot be written.", kept: "The book was not changed.",
        remedy: "Allow writing to the book and its folder, then try again.", cause: cause)
    case (SQLITE_BUSY, _), (SQLITE_LOCKED, _):
      return .storageBusy(cause: cause)
    case (SQLITE_INTERRUPT, _): return .readingGivenUp
    case (SQLITE_CORRUPT, _), (SQLITE_NOTADB, _), (SQLITE_CONSTRAINT, _), (SQLITE_MISMATCH, _),
      (SQLITE_ERROR, _):
      return .storageDamaged("The book is damaged.", cause: cause)
    case (SQLITE_IOERR, _) where writes.contains(status >> 8):
      return GatebookError(
        .storageUnreadable, "The book cannot be written.",
        kept: "Nothing was added to the book; no account was logged out.",
        remedy: "Check the disk and the file, then try again.", cause: cause)
    default:
      return GatebookError(
        .storageUnreadable, "The book cannot be read.",
        kept: "Nothing was changed; no account was logged out.",
        remedy: "Check the file, its folder and its permissions, then try again.", cause: cause)
    }
  }

  /// What SQLite was doing to a file when the system failed, as its extended codes count it:
  /// writing, syncing, syncing the folder, cutting, deleting, and growing the shared memory
  /// (`sqlite3.h`).
  private static let writes: Set<Int32> = [3, 4, 5, 6, 10, 19]

  /// A file that does not begin as a book does.
  static let noBook = GatebookError(
    .storageDamaged, "The file is not a book, or its beginning is damaged.",
    kept: "The file was not changed.",
    remedy:
      "Check the path. If this file was a book, restore it from a copy. Without one, `BookRecovery` "
      + "makes a new book from what can be read.")

  static func storageFull(cause: String?) -> GatebookError {
    GatebookError(
      .storageFull, "The disk is full: nothing was recorded.",
      kept: "Nothing was added to the book.", remedy: "Free space, then try again.",
      cause: cause)
  }

  static func storageBusy(cause: String? = nil) -> GatebookError {
    GatebookError(
      .storageBusy, "Other processes have locked the book for longer than the time to wait.",
      remedy: "Try again, or wait longer.", cause: cause
    ).with(\.setting, "wait")
  }

  /// The caller was cancelled while others held the book.
  static let waitGivenUp = GatebookError(
    .cancelled, "The call was cancelled while other processes had locked the book.",
    kept: "Nothing was changed.", remedy: "Try again when you like.")

  /// The caller was cancelled while it read.
  package static let readingGivenUp = GatebookError(
    .cancelled, "The call was cancelled while the book was read.", kept: "Nothing was changed.",
    remedy: "Try again when you like.")

  static func storageDamaged(_ message: String, cause: String? = nil) -> GatebookError {
    GatebookError(
      .storageDamaged, message, kept: "The file was not changed.",
      remedy:
        "Keep a copy of the file. Continue with an undamaged backup. Without one, `BookRecovery` makes "
        + "a new book from what can be read.",
      cause: cause)
  }
}

extension GatebookError {
  /// The error for what was decided on a state that is not the account's any more.
  package static var changedMeanwhile: GatebookError {
    GatebookError(
      .preconditionFailed, "Another process changed the account first.",
      remedy: "Read the account's current state, then decide again.")
  }

  /// The error for a late use of an erased account.
  package static func erased(_ account: AccountID) -> GatebookError {
    historic("The account was erased: \(account).")
  }

  /// The error for encrypting for an account whose key was lost with a damaged book.
  package static func keyLost(_ account: AccountID) -> GatebookError {
    historic("The key of account \(account) was lost when the book was damaged.")
  }

  /// That nothing is added to an account which is only history now.
  private static func historic(_ message: String) -> GatebookError {
    GatebookError(
      .preconditionFailed, message,
      kept: "Its history is kept; nothing was added to it.",
      remedy: "Log in again: that creates a new account."
    ).with(\.isFinal, true)
  }
}

extension GatebookError {
  /// That an id or a key cannot be made; no book is damaged by that.
  package static var noRandomness: GatebookError {
    GatebookError(
      .configurationInvalid, "The random source returned too few bytes.",
      remedy: "Use a random source that returns as many bytes as requested.")
  }
}
