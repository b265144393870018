internal import Gatebook
internal import GatebookStore

/// The pseudonyms of a book on their way to a fleet, also of events that it has had for long.
struct PseudonymShipment {
  private let reader: BookReader
  private let branch: Int32
  private let key: PseudonymKey

  /// The pseudonyms of so many events are sent at once.
  private static let events: Int64 = 4096

  /// Begins for a branch of the book that the reader, which has the key, reads.
  init(_ reader: BookReader, branch: Int32, _ key: PseudonymKey) {
    self.reader = reader
    self.branch = branch
    self.key = key
  }

  /// Sends those of the next events.
  ///
  /// - Parameters:
  ///   - position: The last event whose names have pseudonyms in the fleet.
  ///   - size: The last event that the fleet has.
  ///   - fleet: The server of the book.
  /// - Returns: The last event whose names have pseudonyms now.
  /// - Throws: What the fleet refuses them for; other `fleet` failures; `storage` failures.
  func ship(
    after position: Int64, upTo size: Int64, _ fleet: FleetConnection
  ) throws(GatebookError) -> Int64 {
    let end = min(size, position + Self.events)
    try put(Pseudonym.all(in: reader, after: position, upTo: end, key), upTo: end, fleet)
    return end
  }

  /// Sends the pseudonyms of the names in events up to a position.
  func put(
    _ pseudonyms: Set<Pseudonym>, upTo end: Int64, _ fleet: FleetConnection
  ) throws(GatebookError) {
    let rows = try fleet.run(
      "SELECT gatebook.put_pseudonyms($1, $2, $3, $4, $5, $6)",
      .identity(reader.id), .small(branch), .bytes(key.fingerprint), .integer(end),
      .identities(pseudonyms.map(\.account)), .bytesArray(pseudonyms.map(\.value)))
    let verdict = rows.first?.text(0) ?? ""
    guard verdict == "taken" else {
      throw ShipRefusal.refused(verdict, at: nil, reader.id, fleet.address)
    }
  }
}
