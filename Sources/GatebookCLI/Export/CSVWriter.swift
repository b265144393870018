internal import Gatebook

/// Writes events as comma-separated values (RFC 4180); facts stand in their cell as JSON.
struct CSVWriter: EventWriter {
  private let names: RenderedNames
  private var moments = MomentWriter()
  private var cell: [UInt8] = []

  init(_ names: RenderedNames) {
    self.names = names
  }

  var heading: [UInt8] {
    Array(
      ("position,at,kind,account,session,cause,revision,version,id,program,programVersion,"
        + "installation,process,data,personal\r\n").utf8)
  }

  mutating func append(_ row: EventRow, to bytes: inout [UInt8]) throws(GatebookError) {
    bytes.add(row.position)
    bytes.add(",")
    moments.append(row.at, to: &bytes)
    bytes.add(",")
    add(try names.kind(row.kind), to: &bytes)
    bytes.add(",")
    if let account = try names.account(row.account) { bytes.add(account) }
    bytes.add(",")
    if let session = row.session {
      bytes += try names.sessionBytes(session).dropFirst().dropLast()
    }
    bytes.add(",")
    if let cause = row.cause { bytes.add(cause) }
    bytes.add(",")
    bytes.add(row.revision)
    bytes.add(",")
    bytes.add(row.version)
    bytes.add(",")
    bytes.add(row.id)
    bytes.add(",")
    let program = try names.program(row.writer)
    add(program.name, to: &bytes)
    bytes.add(",")
    add(program.version, to: &bytes)
    bytes.add(",")
    bytes.add(program.installation)
    bytes.add(",")
    bytes.add(row.process)
    bytes.add(",")
    cell.removeAll(keepingCapacity: true)
    try cell.add(facts: row)
    quote(cell, to: &bytes)
    bytes.add(",")
    if let personal = row.personal {
      cell.removeAll(keepingCapacity: true)
      cell.add(personal: personal)
      quote(cell, to: &bytes)
    }
    bytes.add("\r\n")
  }

  /// A text that some program or server has chosen: a table calculation must not take it for a
  /// formula.
  private func add(_ text: String, to bytes: inout [UInt8]) {
    let text = Printable.text(text)
    // The wide forms count as the plain ones.
    let isFormula =
      text.unicodeScalars.first.map {
        "=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains($0)
      } ?? false
    let safe = isFormula ? "'" + text : text
    guard safe.utf8.contains(where: { "\",;\r\n".utf8.contains($0) }) else {
      bytes += safe.utf8
      return
    }
    quote(Array(safe.utf8), isJSON: false, to: &bytes)
  }

  private func quote(_ text: [UInt8], isJSON: Bool = true, to bytes: inout [UInt8]) {
    bytes.add("\"")
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""): bytes.add("\"\"")
      // Some programs part cells there; only texts within JSON have one.
      case UInt8(ascii: ";") where isJSON: bytes.add("\\u003b")
      default: bytes.append(byte)
      }
    }
    bytes.add("\"")
  }
}
