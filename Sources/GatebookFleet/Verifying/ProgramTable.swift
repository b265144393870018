internal import Gatebook
internal import GatebookEvents
internal import GatebookStore
internal import GatebookSystem

extension Program {
  /// The same as text of PostgreSQL, which cannot hold U+0000, has it.
  fileprivate var shown: Program {
    Program(
      name: name.replacing("\u{0}", with: ""), version: version.replacing("\u{0}", with: ""),
      installation: installation)
  }
}

/// The programs that wrote the events of a book, as their leaves describe them.
struct ProgramTable {
  private let described: [Int64: [UInt8]]
  private var last: (number: Int64, described: [UInt8])?
  /// Rows whose columns do not agree.
  let findings: HistoryFindings

  /// Reads those of a book.
  init(_ book: BookID, _ connection: FleetConnection) throws(GatebookError) {
    var described: [Int64: [UInt8]] = [:]
    var findings = HistoryFindings()
    let rows = try connection.run(
      "SELECT number, described, name, version, installation FROM gatebook.program WHERE book = $1",
      .identity(book))
    for index in 0..<rows.count {
      let row = rows[index]
      let bytes = row.bytes(1)
      described[row.integer(0)] = bytes
      let installation: InstallationID? = row.identity(4)
      let program = installation.map {
        Program(name: row.text(2), version: row.text(3), installation: $0)
      }
      if program != Program(described: bytes)?.shown {
        findings.note(
          "Program \(row.integer(0)) in gatebook.program is not what its events' hashes cover.")
      }
    }
    self.described = described
    self.findings = findings
  }

  /// What a leaf says about a program; `nil` where there is none.
  mutating func described(_ number: Int64) -> [UInt8]? {
    if let last, last.number == number { return last.described }
    guard let found = described[number] else { return nil }
    last = (number, found)
    return found
  }
}
