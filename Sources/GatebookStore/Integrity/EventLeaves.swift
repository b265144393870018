internal import GatebookCrypto
internal import GatebookEvents

/// Computes the leaves of events again from their rows.
struct EventLeaves {
  /// The columns of a row whose leaf can be compared.
  static let columns = CanonicalNames.columns + ", leaf"

  private var names: CanonicalNames
  private var canonical = CanonicalEvent()
  private let hash = SHA256()

  /// Makes one that knows the names that the book has now.
  init(_ connection: Connection) {
    names = CanonicalNames(connection)
  }

  /// The leaf of a row that begins as ``CanonicalNames/columns`` say; `nil` when it names what is
  /// not there.
  mutating func leaf(of row: some RowValues) throws(GatebookError) -> Digest? {
    try names.write(row, into: &canonical) ? hash.leaf(canonical.bytes) : nil
  }

  /// Whether a row of ``columns`` is unchanged, by its stored leaf, and one that a verifier
  /// accepts.
  mutating func isRight(_ row: some RowValues) throws(GatebookError) -> Bool {
    guard row.integer(3) > 0, EventForm.problem(row, at: row.integer(0)) == nil else {
      return false
    }
    return try leaf(of: row)?.bytes == row.bytes(13)
  }
}

/// What no leaf tells: that an event has the form that a book writes ("Event format").
///
/// Otherwise an attacker who recomputes hashes could give it any form.
enum EventForm {
  /// What is wrong with the form of an event.
  ///
  /// - Parameters:
  ///   - row: A row that begins as ``EventLeaves/columns`` do.
  ///   - position: Its position.
  /// - Returns: A sentence; `nil` where nothing is wrong.
  static func problem(_ row: some RowValues, at position: Int64) -> String? {
    if let cause = row.optionalInteger(8), !(1..<max(1, position)).contains(cause) {
      return "The event at position \(position) names a cause that is not before it."
    }
    guard !CanonicalForm.holds(row.raw(11)) else { return nil }
    return
      "The facts of the event at position \(position) are not in the form that Gatebook writes."
  }
}
