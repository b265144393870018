internal import Gatebook

/// Writes events as `log --json` does.
struct JSONLineWriter: EventWriter {
  private var names: RenderedNames
  private var moments = MomentWriter()

  init(_ names: RenderedNames) {
    self.names = names
  }

  mutating func append(_ row: EventRow, to bytes: inout [UInt8]) throws(GatebookError) {
    try bytes.add(
      #"""
      {"position":\#(row.position),"id":"\#(row.id)"\#
      \#(member: "account", names.account(of: row)),"revision":\#(row.revision)\#
      \#(member: "session", names.session(of: row)),"kind":\#(names.kinds[row.kind]),\#
      "version":\#(row.version),"at":"\#(moments.text(row.at))"\#
      \#(end: row, writer: names.writers[row.writer])}

      """#)
  }
}

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
    // The sequence is a text: extensions have no 64-bit integers.
    try bytes.add(
      #"""
      {"specversion":"1.0","id":"\#(row.id)","source":\#(source),\#
      "type":"gatebook.\#(unquoted: names.kinds[row.kind])"\#
      \#(member: "subject", names.account(of: row)),"time":"\#(moments.text(row.at))",\#
      "sequence":"\#(row.position)","datacontenttype":"application/json",\#
      "data":{"revision":\#(row.revision)\#(member: "session", names.session(of: row)),\#
      "version":\#(row.version)\#(end: row, writer: names.writers[row.writer])}}

      """#)
  }
}

extension ExportedText.Interpolation {
  /// Adds what both formats end an event with: its cause, who wrote it, and its facts.
  ///
  /// - Parameters:
  ///   - row: The event.
  ///   - writer: The members of `writer` up to the process.
  /// - Throws: `storage.damaged` for facts that no writer writes.
  mutating func appendInterpolation(end row: EventRow, writer: [UInt8]) throws(GatebookError) {
    if let cause = row.cause {
      appendLiteral(#","cause":"#)
      appendInterpolation(cause)
    }
    appendLiteral(#","writer":"#)
    appendInterpolation(writer)
    appendInterpolation(row.process)
    appendLiteral(#"},"data":"#)
    try appendInterpolation(facts: row)
    appendInterpolation(member: "personal", row.personalJSON)
  }
}
