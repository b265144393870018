internal import Gatebook
internal import GatebookCrypto
internal import GatebookEvents
internal import GatebookStore

/// ``FleetRule/checkpointMismatch``: checks the newest checkpoint of each history against its head,
/// and its signature with the key that the book's first event names.
///
/// It reads no other events: `FleetVerifier` compares all of them.
struct CheckpointFindings {
  let selection: FleetSelection
  let connection: FleetConnection

  /// The kinds of events that name a book's key.
  private static let kinds: [EventKind] = [.bookCreated, .bookContinued, .bookRecovered]

  /// One finding for each history whose checkpoint does not fit.
  ///
  /// A history whose first event the fleet does not have is left out: nothing there names its key.
  func findings() throws(GatebookError) -> [FleetFinding] {
    guard selection.books.contains(where: { $0.checkpoint != nil }) else { return [] }
    let keys = try keys()
    return selection.books.compactMap { book in
      guard let note = book.checkpoint, let root = book.root, let keys = keys[book.id],
        !keys.contains(where: { Self.fits(note, book, root, $0) })
      else { return nil }
      return FleetFinding(
        .checkpointMismatch, .alarm,
        """
        The checkpoint of the newest \(book.size) events is not that of the head that the fleet has, or \
        the book's key has not signed it.
        """,
        in: [FleetFinding.Place(book)], at: [Position(rawValue: book.size)], count: 1,
        book.begun...max(book.begun, book.heard))
    }
  }

  private static func fits(
    _ note: String, _ book: FleetBook, _ root: [UInt8], _ key: [UInt8]
  ) -> Bool {
    let checkpoint = try? Checkpoint(note: note, of: book.id, signedBy: key)
    return checkpoint?.size == book.size && checkpoint?.root.bytes == root
  }

  /// The keys that the first events of books name: a history that left another one has its key.
  private func keys() throws(GatebookError) -> [BookID: Set<[UInt8]>] {
    var conditions = FleetConditions()
    conditions.add("kind = ANY(?)", .texts(Self.kinds.map(\.rawValue)))
    selection.restrictBooks(&conditions)
    let rows = try connection.byKeys { () throws(GatebookError) in
      try connection.run(
        "SELECT book, data FROM gatebook.event \(conditions.clause)", conditions)
    }
    var keys: [BookID: Set<[UInt8]>] = [:]
    for number in 0..<rows.count {
      guard let book: BookID = rows[number].identity(0),
        let key = HistoryHead.key(in: Facts(decoding: rows[number].bytes(1)))
      else { continue }
      keys[book, default: []].insert(key)
    }
    return keys
  }
}
