import CSQLite
import GatebookEvents

@testable import GatebookStore

/// A book that grew since somebody kept its checkpoint.
enum GrownBook {
  /// A book of 1300 events, and its checkpoint when it had fewer.
  static func make(keptAt size: Int = 600) async throws -> (book: TestBook, note: String) {
    let book = try await RollupBook.make(events: size)
    let note = try book.reader().checkpoint()
    let store = try await book.open()
    try await RollupBook.fill(store, from: size, upTo: 1300, seed: 4)
    await store.close()
    return (book, note)
  }
}

extension TestBook {
  func verify(from note: String) async throws(GatebookError) -> GrowthVerdict {
    try await BookVerifier(path: path).verify(from: note)
  }

  /// Changes events as somebody does who computes their own hashes again.
  func rewrite(_ change: String, where condition: String) throws {
    try self.change(change, where: condition, isSigned: true)
  }

  /// Changes events, and computes their own hashes again if they are to be signed.
  func change(_ change: String, where condition: String, isSigned: Bool) throws {
    let connection = try Connection.open(path, flags: SQLITE_OPEN_READWRITE)
    let trigger = try connection.text(
      "SELECT sql FROM sqlite_schema WHERE name = 'event_is_never_updated'")
    try connection.execute("DROP TRIGGER event_is_never_updated")
    let positions = try connection.all("SELECT position FROM event WHERE \(condition)") {
      $0.integer(0)
    }
    try connection.execute("UPDATE event SET \(change) WHERE \(condition)")
    for position in positions where isSigned { try connection.sign(position) }
    try connection.execute(trigger)
  }
}
