internal import Gatebook

/// Writes events as CloudEvents 1.0 in JSON.
///
/// Source: CloudEvents 1.0.2, and its extension Sequence.
struct CloudEventWriter: EventWriter {
  private var names: RenderedNames
  private let source: [UInt8]
  private var moments = MomentWriter()

  init(_ names: RenderedNames, _ book: BookID) {
    self.names = names
    source = JSON.text("urn:gatebook:\(book)").encoded
  }

  mutating func append(_ row: EventRow, to bytes: inout [UInt8]) throws(GatebookError) {
    bytes.add("{\"specversion\":\"1.0\",\"id\":\"")
    bytes.add(row.id)
    bytes.add("\",\"source\":")
    bytes += source
    bytes.add(",\"type\":\"gatebook.")
    // Without the quote before it.
    bytes += try names.kindBytes(row.kind).dropFirst()
    if row.account != 0 {
      bytes.add(",\"subject\":")
      bytes.add(text: try names.account(row.account))
    }
    bytes.add(",\"time\":\"")
    moments.append(row.at, to: &bytes)
    // A text: extensions have no 64-bit integers.
    bytes.add("\",\"sequence\":\"")
    bytes.add(row.position)
    bytes.add("\",\"datacontenttype\":\"application/json\",\"data\":{")
    try bytes.add(place: row, &names)
    bytes.add(",\"version\":")
    bytes.add(row.version)
    try bytes.add(rest: row, &names)
    bytes.add("}\n")
  }
}
