internal import Gatebook
internal import GatebookEvents

/// The programs of books by their numbers, as far as somebody asked for them.
struct FleetPrograms {
  private var programs: [BookID: [Int64: Program]] = [:]

  /// Learns the programs of books.
  mutating func learn(
    _ books: some Collection<BookID>, _ connection: FleetConnection
  ) throws(GatebookError) {
    let unknown = Set(books).filter { programs[$0] == nil }
    guard !unknown.isEmpty else { return }
    for book in unknown { programs[book] = [:] }
    let rows = try connection.run(
      "SELECT book, number, name, version, installation FROM gatebook.program "
        + "WHERE book = ANY($1)", .identities(unknown.sorted()))
    for number in 0..<rows.count {
      let row = rows[number]
      guard let book: BookID = row.identity(0), let installation: InstallationID = row.identity(4)
      else { continue }
      programs[book]?[row.integer(1)] = Program(
        name: row.text(2), version: row.text(3), installation: installation)
    }
  }

  /// The program with a number.
  func program(_ number: Int64, of book: BookID) -> Program? { programs[book]?[number] }
}
