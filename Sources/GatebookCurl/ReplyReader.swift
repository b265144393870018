internal import GatebookAuthentication

/// Builds an answer from what libcurl hands over, within the limits of its request.
struct ReplyReader {
  /// Which limit was passed.
  enum Breach {
    case header, body
  }

  private let limits: HTTPLimits
  private var headerSize = 0
  /// How many bytes have come.
  private(set) var count = 0
  private var isInHeader = false
  /// Whether the last header block has come to its end.
  private(set) var isHeaderComplete = false
  /// The fields of the last header block.
  private(set) var fields: [HTTPField] = []
  /// The body so far.
  private(set) var body: [UInt8] = []
  /// Set when a limit was passed; nothing is kept from then on.
  private(set) var breach: Breach?

  init(_ limits: HTTPLimits) {
    self.limits = limits
  }

  /// Takes one header line with its line end; says whether to go on.
  ///
  /// Every block starts with a status line, so an interim answer (RFC 9110 section 15.2) leaves nothing
  /// behind. What follows a body is a trailer: it counts, but is never merged into the header (RFC 9110
  /// section 6.5.1).
  mutating func receive(line: UnsafeRawBufferPointer) -> Bool {
    headerSize += line.count
    count += line.count
    guard headerSize <= limits.header else {
      breach = .header
      return false
    }
    let text = line.prefix { $0 != 0x0a }.trimming([0x0d])
    if !isInHeader {
      if text.starts(with: "HTTP/".utf8) {
        fields = []
        isInHeader = true
        isHeaderComplete = false
      }
    } else if text.isEmpty {
      isInHeader = false
      isHeaderComplete = true
    } else {
      receive(field: text)
    }
    return true
  }

  private mutating func receive(field: Slice<UnsafeRawBufferPointer>) {
    // A line that starts with a blank continues the last value (RFC 9112 section 5.2).
    if let first = field.first, first == 0x20 || first == 0x09 {
      guard let last = fields.indices.last else { return }
      fields[last].value += " " + field.trimming([0x20, 0x09]).text
      return
    }
    guard let colon = field.firstIndex(of: 0x3a) else { return }
    let name = field[..<colon].text
    // RFC 9112 section 5.1: no blank stands between name and colon.
    guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenCharacter) else { return }
    fields.append(HTTPField(name, field[(colon + 1)...].trimming([0x20, 0x09]).text))
  }

  /// Takes a piece of the decompressed body; says whether to go on.
  mutating func receive(body piece: UnsafeRawBufferPointer) -> Bool {
    count += piece.count
    guard piece.count <= limits.body - body.count else {
      breach = .body
      body = []
      return false
    }
    body.append(contentsOf: piece)
    return true
  }
}

extension Slice<UnsafeRawBufferPointer> {
  /// The bytes without any of the given ones at both ends.
  fileprivate func trimming(_ bytes: Set<UInt8>) -> Self {
    guard let first = firstIndex(where: { !bytes.contains($0) }),
      let last = lastIndex(where: { !bytes.contains($0) })
    else { return self[startIndex..<startIndex] }
    return self[first...last]
  }

  /// The bytes as UTF-8, or else as ISO-8859-1; a bare CR is a blank (RFC 9112 section 2.2).
  fileprivate var text: String {
    let bytes = map { $0 == 0x0d ? 0x20 : $0 }
    if let text = String(validating: bytes, as: UTF8.self) {
      return text
    }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
