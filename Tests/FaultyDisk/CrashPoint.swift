/// A moment inside a commit at which a process dies.
package enum CrashPoint: String, CaseIterable, Sendable {
  /// Nothing of the commit is in the WAL yet.
  case beforeWrite
  /// Half a page of the commit is in the WAL.
  case amidWrite
  /// All of the commit is in the WAL, but not synced.
  case beforeSync
  /// The commit is synced; SQLite has not yet let its lock go.
  case afterSync
  /// `COMMIT` is over; the caller has not heard of it.
  case beforeAnswer
  /// Some pages of the WAL have been moved into the book.
  case amidCheckpoint
}
