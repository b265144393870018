public import GatebookEvents

/// A copy of a book that was made with Gatebook: it holds the keys of the accounts at that time,
/// also of those that were erased later.
///
/// The book does not know copies made by other means.
public struct BookCopy: Hashable, Sendable {
  /// What kind of copy it is.
  public enum Kind: String, Sendable {
    /// The whole book.
    case backup
    /// The part of the log that the book no longer holds.
    case archive
  }

  /// Which copy it is.
  public let id: CopyID
  /// What kind of copy it is; `nil` for one that only a newer version knows.
  public let kind: Kind?
  /// When it was begun.
  public let at: Timestamp
  /// The file it was written to; `.sealed` without the book's key.
  public let place: Personal<String>
  /// How many events the book had when it was begun.
  public let begun: Int64
  /// How many events it holds; `nil` if it was not finished: it may exist, or a draft of it, or
  /// nothing.
  public let events: Int64?

  /// Whether it may hold the key of an account.
  ///
  /// - Parameters:
  ///   - added: Where the account was added.
  ///   - erased: Where it was erased; `nil` where it was not.
  /// - Returns: `false` where it was made before the one or after the other.
  func mayHold(keyAdded added: Position, erased: Position?) -> Bool {
    if let events, events < added.rawValue { return false }
    return (events ?? begun) < erased?.rawValue ?? .max
  }
}

extension BookReader {
  /// The copies of the book that were made with Gatebook, oldest first.
  ///
  /// A copy itself contains only the record of its start, so it is not in its own list.
  ///
  /// - Returns: The copies; a new one at the path of an earlier one replaces it.
  /// - Throws: `storage` failures.
  public func copies() throws(GatebookError) -> [BookCopy] {
    try check()
    guard try connection.has(table: "copy") else { return [] }
    let copies = try connection.all(
      "SELECT id, kind, at, place, begun, events FROM copy ORDER BY begun, at, id"
    ) { (row) throws(GatebookError) -> BookCopy? in
      guard let id = CopyID(bytes: row.raw(0)) else { return nil }
      return BookCopy(
        id: id, kind: BookCopy.Kind(rawValue: row.text(1)), at: Timestamp(rawValue: row.integer(2)),
        place: try place(row.bytes(3), of: id), begun: row.integer(4),
        events: row.optionalInteger(5))
    }
    return copies.filter { $0.events != nil || !isThisFile($0.place) }
  }

  private func isThisFile(_ place: Personal<String>) -> Bool {
    guard case .known(let place) = place else { return false }
    return DraftFile.isSame(place, file.path)
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
    try usableConnection.has(
      "SELECT 1 FROM account WHERE id = ?1 AND key IS NULL", account.bytes)
  }

  /// How many keys of erased accounts may still be in the write-ahead log.
  ///
  /// The next write wipes them, unless a program reads an older state.
  public func unwipedKeys() throws(GatebookError) -> Int {
    try check()
    guard try connection.has(table: "unwiped") else { return 0 }
    return Int(try connection.integer("SELECT count(*) FROM unwiped"))
  }

  /// How many secrets the account has in the vault: what an erase destroys.
  ///
  /// The list of what finds the account is none.
  package func secretCount(of account: AccountID) throws(GatebookError) -> Int64 {
    try usableConnection.integer(
      """
      SELECT count(*) FROM vault v JOIN account a ON a.number = v.account
      WHERE a.id = ?1 AND v.purpose <> ?2
      """, account, LookupList.purpose)
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
