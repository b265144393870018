import Gatebook
import GatebookSystem
import GatebookTestSupport
import Testing

/// A book in a folder of its own, with a key file beside it.
struct TestBook: Sendable {
  static let program = Program(
    name: "mail", version: "2.1", installation: InstallationID(high: 1, low: 2))
  static let ada = AccountID(high: 0xADA, low: 1)
  static let bob = AccountID(high: 0xB0B, low: 2)

  let folder: TestFolder
  let path: String
  /// Its key file; `gatebook` needs `--key file:PATH` only for a copy in another folder.
  let keyPath: String
  let clock = FixedClock()

  /// A place for a book: none is there yet.
  init() throws {
    folder = try TestFolder()
    path = folder.file("test.book")
    keyPath = folder.file("test.key")
  }

  var key: KeyFile { KeyFile(path: keyPath) }

  /// A closed book with two accounts, personal facts and nine events more than asked for.
  ///
  /// - Parameter events: How many events follow the two logins.
  /// - Returns: The book.
  /// - Throws: Storage failures.
  static func written(events: Int = 300) async throws -> TestBook {
    let book = try TestBook()
    try await book.append(.login(ada), .login(bob))
    try await book.grow(by: events)
    return book
  }

  // MARK: Writing

  /// Opens the book for writing; makes it when there is none.
  func open(_ program: Program = TestBook.program) async throws(GatebookError) -> EventStore {
    try await EventStore.open(
      at: path, key: key, program: program, clock: clock, random: SystemRandom(),
      wait: .seconds(30))
  }

  /// Opens the book, appends, and closes it.
  func append(
    _ appends: Append..., by program: Program = TestBook.program
  ) async throws(GatebookError) {
    let store = try await open(program)
    for append in appends { _ = try await store.append(append) }
    await store.close()
  }

  /// Appends as many events, over days; a part of them has personal facts.
  func grow(by events: Int) async throws(GatebookError) {
    let store = try await open()
    try await grow(store, by: events)
    await store.close()
  }

  /// Appends as many events to the open book.
  func grow(_ store: EventStore, by events: Int) async throws(GatebookError) {
    var left = events
    while left > 0 {
      clock.advance(by: .seconds(7000))
      let count = min(left, 50)
      _ = try await store.append(Append((0..<count).map { Self.event($0) }))
      left -= count
    }
  }

  private static func event(_ index: Int) -> ProposedEvent {
    let account = index % 5 == 4 ? nil : index.isMultiple(of: 3) ? bob : ada
    guard let account else { return ProposedEvent(.clockObserved) }
    let session = SessionID(high: 0x5E55, low: account.low)
    guard !index.isMultiple(of: 4) else {
      return ProposedEvent(
        .accountRenamed, account: account, personal: ["label": .text("personal \(index)")])
    }
    return ProposedEvent(
      .cookiesChanged, account: account, session: session,
      cause: .recorded(Position(rawValue: 3)), data: ["index": .integer(Int64(index))])
  }

  /// Archives the book.
  ///
  /// - Parameter name: The name of the archive's file, beside the book.
  /// - Returns: The archive.
  /// - Throws: Storage failures.
  func archive(_ name: String = "past.book") async throws(GatebookError) -> Archive {
    let store = try await open()
    let archive = try await store.archive(to: folder.file(name)) { _, _ in }
    await store.close()
    return archive
  }

  /// Takes an archive away from where the book knows it.
  ///
  /// - Returns: Where it is now.
  @discardableResult
  func putAway(_ archive: Archive) throws -> String {
    let place = archive.path + ".away"
    try #require(Files.rename(archive.path, to: place))
    return place
  }

  // MARK: Reading

  func reader(hasKey: Bool = true) throws(GatebookError) -> BookReader {
    try BookReader.open(at: path, key: hasKey ? key : nil)
  }

  /// All bytes of its file.
  func bytes() throws -> [UInt8] { try #require(Files.content(of: path)) }

  /// A copy of the closed book and its key in another folder, as somebody makes it with `cp`.
  func copied() throws -> TestBook {
    let copy = try TestBook()
    for (from, to) in [
      (path, copy.path), (path + "-wal", copy.path + "-wal"), (keyPath, copy.keyPath),
    ] {
      guard let bytes = Files.content(of: from) else { continue }
      let file = try #require(OpenFile.open(to, .new))
      #expect(file.write(bytes))
    }
    copy.clock.set(clock.now())
    return copy
  }

  /// Puts another state of the book's file in its place, as somebody restores a backup.
  func restore(_ bytes: [UInt8]) throws {
    for ending in ["", "-wal", "-shm"] { Files.remove(path + ending) }
    let file = try #require(OpenFile.open(path, .new))
    #expect(file.write(bytes))
  }
}

extension Append {
  /// A first login of four events, with personal facts.
  ///
  /// - Parameters:
  ///   - account: The account that is added.
  ///   - user: The server's name of the user.
  ///   - userID: The server's id of the user.
  ///   - server: The server.
  /// - Returns: The events.
  static func login(
    _ account: AccountID, user: String = "ada", userID: String = "7",
    server: String = "https://mail.example"
  ) -> Append {
    let session = SessionID(high: 0x5E55, low: account.low)
    let person: Facts = ["user": .text(user), "userID": .text(userID), "tenant": ""]
    var append = Append([
      ProposedEvent(
        .accountAdded, account: account,
        data: ["method": "http", "server": .text(server)], personal: person),
      ProposedEvent(
        .loginSucceeded, account: account, session: session, cause: .proposed(0),
        data: [
          "boot": 1000, "evidence": "identity", "generation": 1, "method": "http",
          "server": .text(server),
        ], personal: person),
      ProposedEvent(
        .attributesChanged, account: account, session: session, cause: .proposed(1),
        data: ["keys": .list(["firstName"])],
        personal: ["attributes": .object(["firstName": "Ada"])]),
      ProposedEvent(
        .accountSwitched, account: account, data: ["to": .text(account.description)]),
    ])
    append.newAccounts = [NewAccount(id: account, lookups: [account.bytes + account.bytes])]
    append.vault = [
      .set(account, purpose: "session", generation: 1, content: Array("s3cret".utf8))
    ]
    return append
  }

  /// Erases an account, as the library does.
  static func erasing(_ account: AccountID) -> Append {
    var append = Append([ProposedEvent(.accountErased, account: account)])
    append.vault = [.erase(account)]
    return append
  }

  /// One event of the book's own stream.
  static func note(_ text: String) -> Append {
    Append([ProposedEvent(.clockObserved, data: ["note": .text(text)])])
  }
}
