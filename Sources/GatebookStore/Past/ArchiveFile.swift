internal import CSQLite
internal import GatebookEvents
internal import Glibc

/// The file that becomes a book's archive: filled beside its place, and there only when it is whole.
struct ArchiveFile: Sendable {
  let path: String
  /// Where it is filled.
  var part: String { path + "-part" }

  private static let pages: Int32 = 1024

  /// Copies the book as it is now; its writers go on meanwhile.
  ///
  /// - Parameters:
  ///   - book: The book.
  ///   - progress: Told how many pages are copied, and of how many.
  /// - Throws: `configuration.invalid` where there is a file already; `storage` failures.
  func copy(
    _ book: BookFile, progress: @Sendable (Int64, Int64) -> Void
  ) throws(GatebookError) {
    try createPart()
    let source = try ReaderConnection.open(book)
    // Held to the end: with the state fixed, SQLite does not begin anew when somebody writes.
    try source.execute("BEGIN")
    defer { try? source.execute("COMMIT") }
    _ = try source.integer("SELECT size FROM head WHERE one = 1")
    let target = try Connection.open(part, flags: SQLITE_OPEN_READWRITE)
    guard let backup = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
      throw GatebookError.sqlite(sqlite3_errcode(target.handle), target.handle)
    }
    var status = SQLITE_OK
    while status == SQLITE_OK {
      status = sqlite3_backup_step(backup, Self.pages)
      let count = Int64(sqlite3_backup_pagecount(backup))
      progress(count - Int64(sqlite3_backup_remaining(backup)), count)
    }
    sqlite3_backup_finish(backup)
    guard status == SQLITE_DONE else { throw GatebookError.sqlite(status, target.handle) }
    // A file without a log beside it: nobody who reads it later needs to write anything.
    guard try target.text("PRAGMA journal_mode=DELETE") == "delete" else {
      throw GatebookError.sqlite(SQLITE_CANTOPEN, target.handle)
    }
  }

  /// Takes over what was written to the book since it was copied.
  ///
  /// - Parameters:
  ///   - book: The book; nobody writes to it.
  ///   - end: The last event of the copy.
  /// - Returns: A connection to the copy.
  /// - Throws: `storage` failures.
  func catchUp(
    with book: BookFile, after end: Int64
  ) throws(GatebookError) -> Connection {
    let connection = try Connection.open(
      part, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX)
    let attach = try Statement(connection, "ATTACH ?1 AS book")
    attach.bind(1, "file:\(ReaderConnection.escape(book.path))?mode=ro")
    try attach.run()
    // What is interrupted is thrown away, and nothing of it is to stand beside it. A key that was destroyed
    // meanwhile is to stand nowhere in it.
    try connection.execute(
      "PRAGMA main.journal_mode=MEMORY; PRAGMA secure_delete=ON; BEGIN IMMEDIATE")
    // Events, and what is made of full blocks of them, are only ever added.
    let added = [
      "event": "position > \(end)", "snapshot": "position > \(end)",
      "subtree": "(number + 1) << level > \(end)", "block": "(number + 1) << level > \(end)",
    ]
    for table in try tables(connection) where table != "archive" && table != "past" {
      if let condition = added[table] {
        try connection.execute(
          "INSERT INTO main.\(table) SELECT * FROM book.\(table) WHERE \(condition)")
      } else {
        try connection.execute("DELETE FROM main.\(table)")
        try connection.execute("INSERT INTO main.\(table) SELECT * FROM book.\(table)")
      }
    }
    try connection.execute("COMMIT")
    try connection.execute("DETACH book")
    return connection
  }

  /// Makes an empty file to be filled.
  func createPart() throws(GatebookError) {
    try BookFile(path: path).checkFileSystem()
    try removeStalePart()
    guard try BookFile(path: part).create() else { throw Self.inTheWay(part) }
    guard chmod(part, 0o600 | S_ISVTX) == 0 else { throw failure(errno) }
  }

  private func tables(_ connection: Connection) throws(GatebookError) -> [String] {
    let rows = try connection.statement(
      """
      SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'
      """)
    defer { rows.reset() }
    var names: [String] = []
    while try rows.step() { names.append(rows.text(0)) }
    return names
  }

  /// Puts the finished file in its place, durably; never over another one.
  func publish(mode: mode_t = 0o400) throws(GatebookError) {
    let descriptor = open(part, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    guard DraftMark.set(descriptor, mode: mode), fsync(descriptor) == 0 else {
      throw failure(errno)
    }
    guard link(part, path) == 0 else {
      throw errno == EEXIST ? Self.inTheWay(path) : failure(errno)
    }
    unlink(part)
    fchmod(descriptor, mode)
    syncFolder()
  }

  /// Takes away what was filled.
  func removePart() { try? removeStalePart() }

  /// Takes the published file away again, when the book was not continued after all.
  func removePublished() {
    unlink(path)
    syncFolder()
  }

  /// Refuses a place where something stands, or that belongs to a book.
  func refuseExisting(beside book: BookFile) throws(GatebookError) {
    var status = stat()
    guard lstat(path, &status) != 0 else { throw Self.inTheWay(path) }
    guard !book.claims(path) else {
      throw GatebookError(
        .configurationInvalid, "That name is one of the book's own: \(path)",
        kept: "Nothing was written.", remedy: "Choose another name.")
    }
  }

  /// Takes away what an archiving left that was killed: the caller holds the lock for it.
  private func removeStalePart() throws(GatebookError) {
    var status = stat()
    guard lstat(part, &status) == 0 else { return }
    guard DraftMark.isDraft(status) || DraftMark.isSame(part, path) else {
      throw Self.inTheWay(part)
    }
    // A journal of the former one would be played back into the next.
    for name in [part, part + "-journal", part + "-wal", part + "-shm"] { unlink(name) }
  }

  private func syncFolder() {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  private func failure(_ number: Int32) -> GatebookError {
    let reason = String(cString: strerror(number))
    if number == ENOSPC || number == EDQUOT { return .storageFull(cause: reason) }
    return GatebookError(
      .storageReadOnly, "The file cannot be written.", kept: "The book was not changed.",
      remedy: "Choose another place for it.", cause: reason)
  }

  private static func inTheWay(_ path: String) -> GatebookError {
    GatebookError(
      .configurationInvalid, "There is a file already: \(path)",
      kept: "Neither it nor the book was changed.", remedy: "Choose another name, or move it away.")
  }
}
