/// What servers granted for something that is good for one use, and the book could not take yet, as
/// on a full disk (rule 5).
final class Grants {
  let ledger: Ledger
  /// Logins with what is good for one use that the book could not take yet.
  var unsavedLogins: [AccountID: UnsavedLogin] = [:]
  /// Those of them that are being written.
  var savingLogins: [AccountID: Task<Result<LoggedIn?, GatebookError>, Never>] = [:]
  /// How many answers of servers are being written for the first time.
  private(set) var answersBeingWritten = 0
  /// Why the last of what is unsaved could not be written.
  var unwrittenReason: GatebookError?
  /// Whether only unsaved data still needs the file.
  var isDone = false

  init(_ ledger: Ledger) {
    self.ledger = ledger
  }

  /// An answer of a server begins to be written: until that has ended, a program that ends loses
  /// it.
  func beginAnswer() { answersBeingWritten += 1 }

  func endAnswer(isolation: isolated (any Actor)? = #isolation) {
    answersBeingWritten -= 1
    if isDone, answersBeingWritten == 0 { _ = startTask { await self.closeWhenSaved() } }
  }

  /// Closes the file once every grant of a server is on the disk.
  func closeWhenSaved() async {
    guard isDone, !hasUnwrittenGrants, case .success(let store) = ledger.store else { return }
    await store.close()
  }
}
