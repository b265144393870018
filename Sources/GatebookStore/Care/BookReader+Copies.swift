public import GatebookEvents

extension BookReader {
  /// The copies of the book that were made with Gatebook, oldest first.
  ///
  /// A copy itself contains only the record of its start, so it is not in its own list.
  ///
  /// - Returns: The copies; a new one at the path of an earlier one replaces it.
  /// - Throws: `storage` failures.
  public func copies() throws(GatebookError) -> [BookCopy] {
    try check()
    guard try hasCareTables() else { return [] }
    let statement = try connection.statement(
      "SELECT id, kind, at, place, begun, events FROM copy ORDER BY begun, at, id")
    defer { statement.reset() }
    var copies: [BookCopy] = []
    while try statement.step() {
      guard let id = CopyID(bytes: statement.raw(0)) else { continue }
      copies.append(
        BookCopy(
          id: id, kind: BookCopy.Kind(rawValue: statement.text(1)),
          at: Timestamp(rawValue: statement.integer(2)),
          place: try place(statement.bytes(3), of: id), begun: statement.integer(4),
          events: statement.optionalInteger(5)))
    }
    return copies.filter { $0.events != nil || !isThisFile($0.place) }
  }

  private func isThisFile(_ place: Personal<String>) -> Bool {
    guard case .known(let place) = place else { return false }
    return DraftMark.isSame(place, file.path)
  }

  /// The copies that may hold the key of an account, also of one that was erased later.
  ///
  /// - Parameter account: The account.
  /// - Returns: The copies, oldest first.
  /// - Throws: `storage` failures.
  public func copies(withKeyOf account: AccountID) throws(GatebookError) -> [BookCopy] {
    try inSnapshot { () throws(GatebookError) in
      guard let state = try state(of: account) else { return [] }
      let erased = state.state == .ended(.erased) ? state.cause : nil
      return try copies().filter { $0.mayHold(keyAdded: state.added, erased: erased) }
    }
  }

  /// Whether an account's key was destroyed.
  ///
  /// - Parameter account: An account of the book.
  /// - Returns: `false` also for an unknown account.
  /// - Throws: `storage` failures.
  public func isErased(_ account: AccountID) throws(GatebookError) -> Bool {
    try check()
    let statement = try connection.statement(
      "SELECT 1 FROM account WHERE id = ?1 AND key IS NULL")
    statement.bind(1, account.bytes)
    defer { statement.reset() }
    return try statement.step()
  }

  /// How many keys of erased accounts may still be in the write-ahead log.
  ///
  /// The next write wipes them, unless a program reads an older state.
  public func unwipedKeys() throws(GatebookError) -> Int {
    try check()
    guard try hasCareTables() else { return 0 }
    return Int(try connection.integer("SELECT count(*) FROM unwiped"))
  }

  /// How many secrets the account has in the vault: what an erase destroys.
  ///
  /// The list of what finds the account is none.
  package func secretCount(of account: AccountID) throws(GatebookError) -> Int64 {
    try check()
    let statement = try connection.statement(
      """
      SELECT count(*) FROM vault v JOIN account a ON a.number = v.account
      WHERE a.id = ?1 AND v.purpose <> ?2
      """)
    statement.bind(1, account.bytes)
    statement.bind(2, LookupList.purpose)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }

  /// A book that no writer of this version has opened yet has no such tables.
  private func hasCareTables() throws(GatebookError) -> Bool {
    try connection.integer("PRAGMA user_version") >= 4
  }

  private func place(
    _ sealed: [UInt8], of copy: CopyID
  ) throws(GatebookError) -> Personal<String> {
    guard let sealer else { return .sealed }
    guard let place = sealer.openPlace(sealed, of: copy) else {
      throw .storageDamaged("The record of a copy was changed.")
    }
    return .known(place)
  }
}
