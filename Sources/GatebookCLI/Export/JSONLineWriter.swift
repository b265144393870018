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
    bytes.add(",")
    try bytes.add(place: row, &names)
    bytes.add(",\"kind\":")
    bytes += try names.kindBytes(row.kind)
    bytes.add(",\"version\":")
    bytes.add(row.version)
    bytes.add(",\"at\":\"")
    moments.append(row.at, to: &bytes)
    bytes.add("\"")
    try bytes.add(rest: row, &names)
    bytes.add("\n")
  }
}
