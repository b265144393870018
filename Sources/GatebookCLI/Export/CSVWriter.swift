internal import Gatebook

/// Writes events as comma-separated values (RFC 4180); facts are JSON in their cell.
struct CSVWriter: EventWriter {
  private var names: RenderedNames
  private var moments = MomentWriter()
  private var kinds = RecentValues<[UInt8]>(256)
  private var writers = RecentValues<[UInt8]>(256)
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
    bytes += try kind(row.kind)
    bytes.add(",")
    if let account = try names.account(row.account) { bytes.add(account) }
    bytes.add(",")
    if let number = row.session, let session = try names.session(number) { bytes.add(session) }
    bytes.add(",")
    if let cause = row.cause { bytes.add(cause) }
    bytes.add(",")
    bytes.add(row.revision)
    bytes.add(",")
    bytes.add(row.version)
    bytes.add(",")
    bytes.add(row.id)
    bytes.add(",")
    bytes += try writer(row.writer)
    bytes.add(",")
    bytes.add(row.process)
    bytes.add(",")
    cell.removeAll(keepingCapacity: true)
    try cell.add(facts: row)
    Self.quote(json: cell, to: &bytes)
    bytes.add(",")
    if let personal = row.personal {
      cell.removeAll(keepingCapacity: true)
      cell.add(personal: personal)
      Self.quote(json: cell, to: &bytes)
    }
    bytes.add("\r\n")
  }

  /// A kind's cell.
  private mutating func kind(_ number: Int64) throws(GatebookError) -> [UInt8] {
    if let known = kinds[number] { return known }
    return kinds.keep(Self.cell(try names.kind(number)), for: number)
  }

  /// Who wrote: the cells of the program, its version and its installation.
  private mutating func writer(_ number: Int64) throws(GatebookError) -> [UInt8] {
    if let known = writers[number] { return known }
    let program = try names.program(number)
    var cells = Self.cell(program.name)
    cells.add(",")
    cells += Self.cell(program.version)
    cells.add(",")
    cells.add(program.installation)
    return writers.keep(cells, for: number)
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
