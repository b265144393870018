import CSQLite
import GatebookCrypto
import GatebookEvents
import Testing

@testable import GatebookStore

/// Books whose beginning was folded otherwise than this version does.
@Suite struct StateOfAnotherVersionTests {
  private static let size: Int64 = 300
  private static let sessions =
    "state = replace(state, '\"state\":\"', '\"state\":\"un') WHERE part = 'session'"
  private static let forgeries = [
    sessions, "state = replace(state, '\":', '\":1') WHERE part = 'tally.book'",
    "name = zeroblob(16) WHERE part = 'account' AND name = (SELECT max(name) FROM opening_row "
      + "WHERE part = 'account')",
  ]

  /// A book that continues an archive, with a changed state; the archive's projections agree with
  /// it or, in a forgery, do not.
  private static func book(
    folds: String?, _ change: String = sessions, isForged: Bool = false
  ) async throws -> (book: TestBook, archive: String) {
    let book = try await RollupBook.make(events: Int(size))
    let store = try await book.open()
    let archive = book.folder.file("past.book")
    _ = try await store.archive(to: archive) { _, _ in }
    await store.close()
    let former = try #require(try Baseline.read(book.reader().connection))
    try book.tamper("UPDATE opening_row SET \(change)")
    if !isForged {
      try Connection.open(archive, flags: SQLITE_OPEN_READWRITE).execute(
        "UPDATE session_state SET state = replace(state, '\"state\":\"', '\"state\":\"un')")
    }
    let connection = try Connection.open(book.path, flags: SQLITE_OPEN_READWRITE)
    var opening = former
    opening.state = try BaselineRows(connection).root(SHA256())
    try #require(opening.state != former.state)
    try opening.write(connection)
    let version = "\"folds\":\(BookFold.version),"
    try connection.execute(
      """
      UPDATE event SET data = replace(replace(data,
        '\(Hex.encode(former.state.bytes))', '\(Hex.encode(opening.state.bytes))'),
        '\(version)', '\(folds.map { "\"folds\":\($0)," } ?? "")')
      WHERE position = \(size + 1)
      """)
    try sign(connection, behind: opening)
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return (book, archive)
  }

  /// Computes the last event's leaf and the head again.
  private static func sign(_ connection: Connection, behind opening: Baseline) throws {
    let leaf = try connection.sign(size + 1)
    var tree = opening.frontier
    tree.append(leaf, SHA256()) { _ in }
    try LogHead.write(connection, tree, tree.root(SHA256()))
  }

  @Test(arguments: [nil, "11", "\(BookFold.version + 1)"])
  func `what another version folded is not called damaged`(_ folds: String?) async throws {
    let (book, archive) = try await Self.book(folds: folds)
    let verdict = try await BookVerifier(path: book.path).verify(archive: archive)
    #expect(verdict.ok, "\(verdict.problems)")
    #expect(verdict.archive?.hasSameState == false)
  }

  @Test func `what this version folded must be what the archive's events make`() async throws {
    let (book, archive) = try await Self.book(folds: "\(BookFold.version)")
    let verdict = try await BookVerifier(path: book.path).verify(archive: archive)
    #expect(!verdict.ok)
    #expect(verdict.problems.count == 1, "\(verdict.problems)")
    #expect(verdict.problems.first?.contains("The state") == true)
  }

  @Test(arguments: [nil, "11"], forgeries)
  func `the name of another version lets nothing pass that the archive does not hold`(
    _ folds: String?, _ forgery: String
  ) async throws {
    let (book, archive) = try await Self.book(folds: folds, forgery, isForged: true)
    #expect(try await BookVerifier(path: book.path).verify().ok)
    let verdict = try await BookVerifier(path: book.path).verify(archive: archive)
    #expect(!verdict.ok)
    #expect(verdict.problems.first?.contains("The state") == true, "\(verdict.problems)")
  }
}
