internal import Gatebook

/// Writes events as `log --json` does.
struct JSONLineWriter: EventWriter {
  private var names: RenderedNames
  private var moments = MomentWriter()

  init(_ names: RenderedNames) {
    self.names = names
  }

  mutating func append(_ row: EventRow, to bytes: inout [UInt8]) throws(GatebookError) {
    bytes.add("{\"position\":")
    bytes.add(row.position)
    bytes.add(",\"id\":\"")
    bytes.add(row.id)
    bytes.add("\"")
    if row.account != 0 {
      bytes.add(",\"account\":")
      bytes.add(text: try names.account(row.account))
    }
    bytes.add(",\"revision\":")
    bytes.add(row.revision)
    if let session = row.session {
      bytes.add(",\"session\":")
      bytes.add(text: try names.session(session))
    }
    bytes.add(",\"kind\":")
    bytes += try names.kindBytes(row.kind)
    bytes.add(",\"version\":")
    bytes.add(row.version)
    bytes.add(",\"at\":\"")
    moments.append(row.at, to: &bytes)
    bytes.add("\"")
    if let cause = row.cause {
      bytes.add(",\"cause\":")
      bytes.add(cause)
    }
    bytes.add(",\"writer\":")
    bytes += try names.writerBytes(row.writer)
    bytes.add(row.process)
    bytes.add("},\"data\":")
    try bytes.add(facts: row)
    if let personal = row.personal {
      bytes.add(",\"personal\":")
      bytes.add(personal: personal)
    }
    bytes.add("}\n")
  }
}
