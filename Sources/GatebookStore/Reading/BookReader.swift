internal import GatebookCrypto
public import GatebookEvents

/// Reads a book: accounts, sessions, events, their proof.
///
/// It never writes, and needs no key: without one, personal data is `.sealed`.
///
/// It has its own read-only connection, so a long read never blocks a writer. It is not `Sendable`:
/// use it in one task; opening another one is cheap (about 0.3 ms).
public final class BookReader {
  let connection: Connection
  let file: BookFile
  let row: BookRow
  let sealer: Sealer?
  private let forkGuard = ForkGuard()
  private var knowsRollups = false
  private var heedsCancellation = false
  private var marks = CommitMarks()
  /// The names in the streams that were folded so far.
  lazy var streamNames = ScannedNames(room: ScannedNames.ofStream)

  fileprivate init(_ connection: Connection, _ file: BookFile, _ row: BookRow, _ sealer: Sealer?) {
    self.connection = connection
    self.file = file
    self.row = row
    self.sealer = sealer
  }

  /// Opens a book for reading.
  ///
  /// - Parameters:
  ///   - path: The book's file; it may be read-only, and so may its folder.
  ///   - key: Decrypts personal data; `nil` leaves it encrypted.
  /// - Returns: A reader.
  /// - Throws: `storage.none`, `storage.unreadable`, `storage.damaged`,
  ///   `storage.newer`, or a `key` failure when a key was given.
  public static func open(
    at path: String, key: (any KeySource)? = nil
  ) throws(GatebookError) -> BookReader {
    let (connection, file) = try connect(path)
    guard let key else { return BookReader(connection, file, try BookRow(connection), nil) }
    let (row, keys) = try BookRow.unlock(connection, key)
    return BookReader(connection, file, row, Sealer(keys, random: SystemRandom()))
  }

  fileprivate static func connect(
    _ path: String
  ) throws(GatebookError) -> (Connection, BookFile) {
    let file = BookFile(path: path)
    switch try file.content() {
    case .database: break
    case .missing: throw noBook(at: path)
    case .empty:
      throw GatebookError(
        .storageUnreadable, "The file \(path) is empty, so it is not a book.",
        kept: "Nothing was changed.",
        remedy: "If this was a book, restore it from a copy. A login would create a new one.")
    case .foreign: throw .noBook
    }
    let connection = try ReaderConnection.open(file)
    // A process that died while it made the book leaves a database without a schema.
    guard try connection.integer("SELECT count(*) FROM sqlite_schema") > 0 || file.wasMade else {
      throw noBook(at: path)
    }
    try BookVersion.check(
      application: try connection.integer("PRAGMA application_id"),
      version: try connection.integer("PRAGMA user_version"), isEmpty: false)
    return (connection, file)
  }

  static func noBook(at path: String) -> GatebookError {
    GatebookError(
      .storageNone, "There is no book at \(path).", kept: "Nothing was created.",
      remedy: "Check the path. A login creates a new book.")
  }

  /// The identity of the book.
  public var id: BookID { row.id }

  /// The source of the master key when the book was opened: `file`, `passphrase`, `secret-service`.
  public var keySource: String { row.key.source }

  /// Whether it was opened with its key.
  package var hasKey: Bool { sealer != nil }

  /// What the book recorded about its master key when it was opened.
  package var keyDescription: KeyDescription { row.key }

  /// The book's file.
  package var path: String { file.path }

  /// The number of events, and their root.
  public func head() throws(GatebookError) -> (size: Int64, root: String) {
    let rows = try usableConnection.rows("SELECT size, root FROM head WHERE one = 1")
    guard let row = try rows.next() else { throw .storageDamaged("The book has no head.") }
    return (row.integer(0), Hex.encode(row.bytes(1)))
  }

  /// Whether the book has an account; what was folded is not asked.
  package func knows(_ account: AccountID) throws(GatebookError) -> Bool {
    try usableConnection.number(of: account) != nil
  }

  /// How much space the book takes, including its write-ahead log.
  package func bytes() throws(GatebookError) -> Int64 {
    try connection.integer("PRAGMA page_count") * connection.integer("PRAGMA page_size")
  }

  /// More events than this have no room in the file.
  func eventLimit() throws(GatebookError) -> Int64 {
    Self.mostEvents(after: try? Baseline.read(connection), inFileOf: try bytes())
  }

  /// How many events a book can have: ids and hashes alone take 64 bytes of its file, with their
  /// index.
  static func mostEvents(after baseline: Baseline?, inFileOf bytes: Int64) -> Int64 {
    (baseline?.floor ?? 0) + bytes / 64
  }

  /// What changes whenever another connection commits, in any process.
  ///
  /// Within a snapshot it equals no other mark: what is read may be older.
  package func commitMark() throws(GatebookError) -> CommitMark {
    try marks.take(usableConnection)
  }

  /// Whether the rows of the past are there, made by this version of the folds: else everything is
  /// read from the log itself.
  func hasRollups() throws(GatebookError) -> Bool {
    guard !knowsRollups else { return true }
    // A book that was not brought up to date since there are such rows has no table of them.
    guard try connection.integer("PRAGMA user_version") >= 3 else { return false }
    let version = try connection.integer("SELECT folds FROM head WHERE one = 1")
    knowsRollups = version == BookFold.version
    return knowsRollups
  }

  /// Whether a path is one of the book's own, even if no file exists there yet.
  package func claims(_ path: String) -> Bool { file.claims(path) }

  /// Lets what is read from now on end with `cancelled` once the task that reads is cancelled.
  package func heedCancellation() {
    heedsCancellation = true
    connection.heedCancellation()
  }

  func check() throws(GatebookError) {
    if heedsCancellation, Task.isCancelled { throw .readingGivenUp }
    try forkGuard.check()
  }

  /// The connection, where the reader may still be used.
  var usableConnection: Connection {
    get throws(GatebookError) {
      try check()
      return connection
    }
  }

  /// Decrypts personal facts and secrets.
  ///
  /// - Throws: `key.missing` where the book was opened without its key.
  var usableSealer: Sealer {
    get throws(GatebookError) {
      try check()
      guard let sealer else {
        throw GatebookError(
          .keyMissing, "The book was opened without its key.",
          remedy: "Open the book with its key file or passphrase.")
      }
      return sealer
    }
  }

  /// Opens an archive of the book for reading, with the same key.
  ///
  /// - Parameter path: The archive's file.
  /// - Returns: A reader of it; `nil` for a file that is no archive of this book.
  /// - Throws: `storage` failures, also if there is no file.
  func open(archive path: String) throws(GatebookError) -> BookReader? {
    let (connection, file) = try Self.connect(path)
    let row = try BookRow(connection)
    guard row.id == id, row.check == self.row.check, try ArchiveMark.isSet(connection) else {
      return nil
    }
    return BookReader(
      connection, file, row, sealer.map { Sealer($0.keys, random: SystemRandom()) })
  }

  /// Runs reads that must see one and the same state of the book.
  package func inSnapshot<Value>(
    _ body: () throws(GatebookError) -> Value
  ) throws(GatebookError) -> Value {
    guard !connection.isInTransaction else { return try body() }
    try check()
    try connection.statement("BEGIN").run()
    defer { try? connection.commit() }
    return try body()
  }
}

extension EventStore {
  /// A reader of the same book with the same keys, with a connection of its own.
  package nonisolated func makeReader() throws(GatebookError) -> BookReader {
    let (connection, file) = try BookReader.connect(file.path)
    return BookReader(
      connection, file, try BookRow(connection), Sealer(keys, random: SystemRandom()))
  }
}

/// Notices that something was committed to a book, by any process.
///
/// No process can wake another one's reader, so a follower
/// of a book looks again after each ``interval``.
package struct CommitWatch: Sendable {
  /// How long to pause between two looks.
  package static let interval = Duration.milliseconds(50)

  private var mark: CommitMark?

  /// Starts before the first look.
  package init() {}

  /// Looks at a book.
  ///
  /// - Parameter reader: The same reader each time.
  /// - Returns: Whether somebody has committed since the last look; the first look always says so.
  /// - Throws: `storage` failures; the next look then says so again.
  package mutating func look(_ reader: BookReader) throws(GatebookError) -> Bool {
    let now = try reader.commitMark()
    defer { mark = now }
    return now != mark
  }
}
