/// A page with gaps: `{{name}}` stands where something is put in.
struct PageFrame {
  /// A piece of the page.
  enum Piece: Hashable {
    /// Bytes as they are.
    case bytes([UInt8])
    /// What is put in under a name.
    case gap(String)
  }

  /// The pieces in their order.
  let pieces: [Piece]

  /// Takes a page apart.
  init(_ page: [UInt8]) {
    var pieces: [Piece] = []
    var rest = page[...]
    while let open = rest.firstRange(of: "{{".utf8),
      let close = rest[open.upperBound...].firstRange(of: "}}".utf8)
    {
      pieces.append(.bytes(Array(rest[..<open.lowerBound])))
      let name = rest[open.upperBound..<close.lowerBound]
      pieces.append(.gap(String(decoding: name, as: UTF8.self)))
      rest = rest[close.upperBound...]
    }
    self.pieces = pieces + [.bytes(Array(rest))]
  }
}
