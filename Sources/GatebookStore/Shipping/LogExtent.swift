internal import GatebookCrypto
package import GatebookEvents

/// Which events a book has, and which it knows of: what a copy of its log elsewhere is compared
/// with.
package struct LogExtent: Sendable {
  /// The number of events that its tree covers.
  package let size: Int64
  /// The first event that is in the book; those before it are in an archive.
  package let first: Int64
  /// The last event that the state counts which the book continues from; 0 for a whole book.
  package let floor: Int64
  /// The positions from `first` on whose events a recovery did not find, in order.
  package let lost: [ClosedRange<Int64>]
  /// Whether the tree is the one that the book had before its recovery.
  package let isProven: Bool

  /// How many events the book must have after a position, up to another one.
  package func events(after position: Int64, upTo end: Int64) -> Int64 {
    lost.reduce(end - position) { events, range in
      events - max(0, min(range.upperBound, end) - max(range.lowerBound, position + 1) + 1)
    }
  }
}

extension BookReader {
  /// Which events the book has.
  ///
  /// - Throws: `storage` failures.
  package func extent() throws(GatebookError) -> LogExtent {
    try inSnapshot { () throws(GatebookError) in
      let baseline = try Baseline.read(connection)
      return LogExtent(
        size: try head().size, first: baseline?.first ?? 1, floor: baseline?.floor ?? 0,
        lost: try LostEvents(connection).ranges(), isProven: baseline?.isProven ?? true)
    }
  }

  /// The root over the first events.
  ///
  /// - Parameter size: How many.
  /// - Returns: 32 bytes; `nil` where it cannot be known, because some of them are archived or
  ///   lost.
  /// - Throws: `storage` failures.
  package func root(ofFirst size: Int64) throws(GatebookError) -> [UInt8]? {
    try PartialTree(usableConnection).root(of: size)?.bytes
  }

  /// The stored leaf of an event.
  ///
  /// - Parameter position: Its position.
  /// - Returns: 32 bytes; `nil` for an event that is not in the book.
  /// - Throws: `storage` failures.
  package func leaf(at position: Int64) throws(GatebookError) -> [UInt8]? {
    try usableConnection.first("SELECT leaf FROM event WHERE position = ?1", position) {
      $0.bytes(0)
    }
  }
}
