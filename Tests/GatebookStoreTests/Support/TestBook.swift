import CSQLite
import GatebookCrypto
import GatebookEvents
import Testing

@testable import GatebookStore

/// A book in a folder of its own, and what it takes to open it.
struct TestBook: Sendable {
  static let program = Program(
    name: "tests", version: "1.0", installation: InstallationID(high: 1, low: 2))
  static let ada = AccountID(high: 0xADA, low: 1)
  static let bob = AccountID(high: 0xB0B, low: 2)
  static let session = SessionID(high: 0x5E55, low: 1)

  let folder: TemporaryFolder
  let path: String
  var key: any KeySource = MemoryKey()
  var clock = StepClock()

  init(onDisk: Bool = false) throws {
    folder = try TemporaryFolder(onDisk: onDisk)
    path = folder.file("test.book")
  }

  /// Opens the book for writing; makes it when there is none.
  func open(
    _ program: Program = TestBook.program, wait: Duration = .seconds(30)
  ) async throws(GatebookError) -> EventStore {
    try await EventStore.open(
      at: path, key: key, program: program, clock: clock, random: SystemRandom(), wait: wait)
  }

  func reader() throws(GatebookError) -> BookReader { try BookReader.open(at: path, key: key) }

  func sealedReader() throws(GatebookError) -> BookReader { try BookReader.open(at: path) }

  func verify(against note: String? = nil) async throws(GatebookError) -> Verdict {
    try await BookVerifier(path: path).verify(against: note)
  }

  /// Changes the book as somebody with a SQLite shell would.
  func tamper(_ statements: String..., keepingTriggers: Bool = false) throws {
    let connection = try Connection.open(path, flags: SQLITE_OPEN_READWRITE)
    if !keepingTriggers {
      try connection.execute("DROP TRIGGER IF EXISTS event_is_never_updated")
      try connection.execute("DROP TRIGGER IF EXISTS event_is_never_deleted")
    }
    for statement in statements { try connection.execute(statement) }
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// A closed book with two accounts, secrets, personal facts and a few dozen events.
  static func written(events: Int = 24, onDisk: Bool = false) async throws -> TestBook {
    let book = try TestBook(onDisk: onDisk)
    let store = try await book.open()
    _ = try await store.append(.login(ada, session))
    _ = try await store.append(.login(bob, SessionID(high: 0x5E55, low: 2)))
    for index in 0..<events {
      let account = index.isMultiple(of: 3) ? bob : ada
      _ = try await store.append(
        Append([
          ProposedEvent(
            .cookiesChanged, account: account, session: session,
            cause: .recorded(Position(rawValue: 2)), data: ["index": .integer(Int64(index))],
            personal: index.isMultiple(of: 4) ? ["note": .text("personal \(index)")] : nil)
        ]))
    }
    await store.close()
    return book
  }
}

extension Append {
  /// A first login: account, session, attributes, and the secret of the session.
  static func login(_ account: AccountID, _ session: SessionID) -> Append {
    var append = Append([
      ProposedEvent(
        .accountAdded, account: account, data: ["method": "http", "server": "https://a.example"],
        personal: ["user": "ada", "userID": "7", "tenant": ""]),
      ProposedEvent(
        .loginSucceeded, account: account, session: session, cause: .proposed(0),
        data: [
          "boot": 1000, "evidence": "identity", "generation": 1, "method": "http",
          "server": "https://a.example",
        ], personal: ["user": "ada", "userID": "7", "tenant": ""]),
      ProposedEvent(
        .attributesChanged, account: account, session: session, cause: .proposed(1),
        data: ["keys": .list(["firstName"])],
        personal: ["attributes": .object(["firstName": "Ada"])]),
    ])
    append.newAccounts = [NewAccount(id: account, lookups: [account.bytes + account.bytes])]
    append.vault = [
      .set(account, purpose: "session", generation: 1, content: Array("s3cret".utf8))
    ]
    return append
  }

  /// One event of the book's own stream.
  static func note(_ text: String = "", id: EventID? = nil) -> Append {
    Append([ProposedEvent(.clockObserved, id: id, data: ["note": .text(text)])])
  }
}
