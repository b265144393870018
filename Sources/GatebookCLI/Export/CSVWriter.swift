internal import Gatebook

/// Writes events as comma-separated values (RFC 4180); facts are JSON in their cell.
struct CSVWriter: EventWriter {
  private var names: RenderedNames
  private var moments = MomentWriter()
  private var kinds: RecentValues<[UInt8]>
  /// Who wrote: the cells of the program, its version and its installation.
  private var writers: RecentValues<[UInt8]>

  init(_ rendered: RenderedNames, _ names: EventNames) {
    self.names = rendered
    kinds = RecentValues(names: 256) { number throws(GatebookError) in
      Self.cell(try names.kind(number))
    }
    writers = RecentValues(names: 256) { number throws(GatebookError) in
      let program = try names.known(number)
      let installation = Array(program.installation.description.utf8)
      let text: ExportedText =
        "\(Self.cell(program.name)),\(Self.cell(program.version)),\(installation)"
      return text.bytes
    }
  }

  let heading = Array(
    ("position,at,kind,account,session,cause,revision,version,id,program,programVersion,"
      + "installation,process,data,personal\r\n").utf8)

  mutating func append(_ row: EventRow, to bytes: inout [UInt8]) throws(GatebookError) {
    try bytes.add(
      """
      \(row.position),\(moments.text(row.at)),\(kinds[row.kind]),\
      \(unquoted: names.account(of: row)),\(unquoted: names.session(of: row)),\(row.cause),\
      \(row.revision),\(row.version),\(row.id),\(writers[row.writer]),\(row.process),
      """)
    let facts: ExportedText = try "\(facts: row)"
    Self.quote(json: facts.bytes, to: &bytes)
    bytes.add(",")
    if let personal = row.personalJSON { Self.quote(json: personal, to: &bytes) }
    bytes.add("\r\n")
  }

  /// A text that some program or server has chosen: a table calculation must not take it for a
  /// formula.
  static func cell(_ text: String) -> [UInt8] {
    let text = Printable.text(text)
    // The wide forms count as the plain ones.
    let isFormula =
      text.unicodeScalars.first.map {
        "=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains($0)
      } ?? false
    let safe = Array((isFormula ? "'" + text : text).utf8)
    guard safe.contains(where: { "\",;\r\n".utf8.contains($0) }) else { return safe }
    var cell: [UInt8] = []
    quote(safe, to: &cell)
    return cell
  }

  /// Adds JSON without semicolons, where some programs part cells, too; only its texts have any.
  private static func quote(json: [UInt8], to bytes: inout [UInt8]) {
    guard json.contains(UInt8(ascii: ";")) else { return quote(json, to: &bytes) }
    let safe = json.flatMap { $0 == UInt8(ascii: ";") ? Array("\\u003b".utf8) : [$0] }
    quote(safe, to: &bytes)
  }

  private static func quote(_ text: [UInt8], to bytes: inout [UInt8]) {
    let quote = UInt8(ascii: "\"")
    bytes.append(addingCapacity: 2 * text.count + 2) { cell in
      cell.append(quote)
      for byte in text {
        // Only a quote stays twice. A branch on it would be guessed wrong every few bytes.
        cell.append(byte)
        cell.append(byte)
        cell.removeLast(byte == quote ? 0 : 1)
      }
      cell.append(quote)
    }
  }
}
