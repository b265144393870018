import CSQLite
import GatebookCrypto
import GatebookEvents
import Testing

@testable import GatebookStore

/// An event as another version of Gatebook writes it, put into the log by the event format alone.
struct ForeignEvent {
  let kind: String
  let version: Int64
  let data: String

  func append(to book: TestBook) throws {
    let connection = try Connection.open(book.path, flags: SQLITE_OPEN_READWRITE)
    let hash = SHA256()
    let head = try connection.statement("SELECT size, frontier FROM head")
    try #require(try head.step())
    var frontier = try #require(
      Frontier(size: head.integer(0), bytes: head.bytes(1)))
    head.reset()
    let position = frontier.size + 1
    let revision = try connection.integer("SELECT max(revision) + 1 FROM event WHERE account = 0")
    let id = EventID(high: 0xF0, low: UInt64(position))
    var canonical = CanonicalEvent()
    let envelope = CanonicalEvent.Envelope(
      position: position, id: id, account: nil, revision: revision, session: nil,
      version: version, at: 5, cause: nil, process: 1)
    Array(data.utf8).withUnsafeBytes { data in
      canonical.write(
        envelope, kind: CanonicalEvent.describe(kind: kind),
        writer: CanonicalEvent.describe(TestBook.program), data: data, sealed: nil)
    }
    let leaf = hash.leaf(canonical.bytes)
    frontier.append(leaf, hash) { _ in }
    try connection.execute("INSERT INTO kind (name) VALUES ('\(kind)')")
    try connection.execute(
      """
      INSERT INTO event VALUES (\(position), x'\(id)', 0, \(revision), NULL,
        (SELECT number FROM kind WHERE name = '\(kind)'), \(version), 5, NULL, 1, 1, '\(data)',
        NULL, x'\(Hex.encode(leaf.bytes))')
      """)
    let root = frontier.root(hash)
    try connection.execute(
      """
      UPDATE head SET size = \(position), root = x'\(Hex.encode(root.bytes))',
        frontier = x'\(Hex.encode(frontier.bytes))'
      """)
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
