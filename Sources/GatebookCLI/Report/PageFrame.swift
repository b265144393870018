internal import Gatebook
internal import GatebookSystem

/// A page with gaps: `{{name}}` is replaced.
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
    while let open = rest.firstRange(of: "{{"),
      let close = rest[open.upperBound...].firstRange(of: "}}")
    {
      pieces.append(.bytes(Array(rest[..<open.lowerBound])))
      let name = rest[open.upperBound..<close.lowerBound]
      pieces.append(.gap(String(decoding: name, as: UTF8.self)))
      rest = rest[close.upperBound...]
    }
    self.pieces = pieces + [.bytes(Array(rest))]
  }
}

/// The page's own files, which are part of the program.
enum PageFiles {
  /// The frame of the page; what `{{...}}` names is put in its place.
  static let frame = PackageResources.report_html
  /// How it looks.
  static let style = PackageResources.report_css
  /// What moves in it, in an order in which each file knows those before it.
  static let script =
    PackageResources.clock_js + PackageResources.tip_js + PackageResources.lane_js
    + PackageResources.timeline_js + PackageResources.events_js + PackageResources.start_js

  /// Lets the page run its own script and style and nothing else, and ask nobody for anything.
  ///
  /// Content Security Policy Level 3, section 2.3.1: scripts and styles in the page are allowed by
  /// their hashes.
  static var policy: String {
    "default-src 'none'; script-src \(source(script)); style-src \(source(style)); "
      + "base-uri 'none'; form-action 'none'"
  }

  private static func source(_ bytes: [UInt8]) -> String {
    "'sha256-\(Base64.encode(HashFunction.sha256.hash(bytes)))'"
  }
}

extension JSON {
  /// The value on one line, for a script's block in a page.
  ///
  /// HTML Standard, section 4.12.1.3: `</script` and `<!--` would end or change the block, so every
  /// character that could begin markup is escaped in it.
  var scriptBytes: [UInt8] {
    var bytes: [UInt8] = []
    for byte in encoded {
      switch byte {
      case UInt8(ascii: "<"): bytes += "\\u003c".utf8
      case UInt8(ascii: ">"): bytes += "\\u003e".utf8
      case UInt8(ascii: "&"): bytes += "\\u0026".utf8
      default: bytes.append(byte)
      }
    }
    return bytes
  }
}

extension Timestamp {
  /// Milliseconds since 1970 UTC, which is what a script counts in.
  var milliseconds: Int64 {
    let (quotient, rest) = rawValue.quotientAndRemainder(dividingBy: 1_000)
    return rest < 0 ? quotient - 1 : quotient
  }
}
