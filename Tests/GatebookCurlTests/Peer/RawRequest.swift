/// One request as its bytes came.
struct RawRequest: Sendable {
  /// Which connection it came on, counted from 0.
  let connection: Int
  /// Everything up to and including the empty line.
  let head: String
  let body: [UInt8]

  /// The request line.
  var line: String { lines.first ?? "" }

  /// All lines but the empty one at the end.
  var lines: [String] {
    head.split(separator: "\r\n").map(String.init)
  }
}
