internal import Gatebook
internal import GatebookCrypto

/// A head that was shipped: a row of `gatebook.checkpoint`, or the newest one in `gatebook.branch`.
struct StoredHead {
  /// So many are read at a time: with `ship --follow` there may be one for each event.
  static let page = 1024

  let size: Int64
  /// `nil` where the shipper could not know it.
  let root: Digest?
  /// The signed note; `nil` where it was shipped without the book's key.
  let checkpoint: String?

  /// Reads the next heads of a history, in the order of their sizes.
  ///
  /// - Parameters:
  ///   - size: The last one that was read.
  ///   - branch: The history.
  ///   - book: The book.
  ///   - connection: The fleet.
  /// - Returns: At most ``page``: fewer are the last ones.
  /// - Throws: `fleet` failures.
  static func next(
    after size: Int64, _ branch: Int32, _ book: BookID, _ connection: FleetConnection
  ) throws(GatebookError) -> [StoredHead] {
    try connection.run(
      """
      SELECT size, root, checkpoint FROM gatebook.checkpoint
      WHERE book = $1 AND branch = $2 AND size > $3 ORDER BY size LIMIT \(page)
      """, .identity(book), .small(branch), .integer(size)
    ).map { row in
      StoredHead(
        size: row.integer(0), root: row.optionalBytes(1).flatMap { Digest(bytes: $0) },
        checkpoint: row.optionalText(2))
    }
  }
}
