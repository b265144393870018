internal import GatebookAuthentication
internal import GatebookEvents

/// Builds an answer from what libcurl hands over, within the limits of its request.
struct ReplyReader {
  /// Which limit was passed.
  enum Breach {
    case header, body
    /// The request's sink did not take the body.
    case sink(GatebookError)
  }

  private let limits: HTTPLimits
  /// What takes a body that is too long to be kept in memory.
  private let sink: BodySink?
  /// The status of the last header block.
  private var status = 0
  /// Whether the sink takes the body.
  private(set) var isStreamed = false
  /// Whether the body is one that the sink takes, if it is long.
  var isForSink: Bool { sink != nil && BodySink.takes(status) }
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

  init(_ limits: HTTPLimits, _ sink: BodySink? = nil) {
    self.limits = limits
    self.sink = sink
  }

  /// A shorter body stays in memory until it is complete: the session rules may want to read it.
  private static let streamedFrom = 1 << 20

  /// Takes one header line with its line end; returns whether to continue.
  ///
  /// Every block starts with a status line, so an interim answer (RFC 9110 section 15.2) leaves no
  /// trace. What follows a body is a trailer: it counts, but is never merged into the header (RFC
  /// 9110 section 6.5.1).
  mutating func receive(line: UnsafeRawBufferPointer) -> Bool {
    headerSize += line.count
    count += line.count
    guard headerSize <= limits.header else {
      breach = .header
      return false
    }
    let text = line.prefix { $0 != 0x0a }.trimming { $0 == 0x0d }
    if !isInHeader {
      if text.starts(with: "HTTP/".utf8) {
        fields = []
        let code = text.drop { $0 != 0x20 }.drop { $0 == 0x20 }.prefix { $0 != 0x20 }
        status = Int(code.text) ?? 0
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
      fields[last].value += " " + field.trimming(\.isBlank).text
      return
    }
    guard let colon = field.firstIndex(of: 0x3a) else { return }
    let name = field[..<colon].text
    // RFC 9112 section 5.1: no blank between name and colon.
    guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenCharacter) else { return }
    fields.append(HTTPField(name, field[(colon + 1)...].trimming(\.isBlank).text))
  }

  /// Takes a piece of the decompressed body; returns whether to continue.
  mutating func receive(body piece: UnsafeRawBufferPointer) -> Bool {
    count += piece.count
    if isStreamed { return hand(over: piece) }
    if isForSink, body.count + piece.count > min(Self.streamedFrom, limits.body) {
      return beginStreaming() && hand(over: piece)
    }
    guard piece.count <= limits.body - body.count else {
      breach = .body
      body = []
      return false
    }
    body.append(contentsOf: piece)
    return true
  }

  /// Whether the sink would take what has come so far, and nothing more has to come first.
  var isHeldBack: Bool {
    isForSink && isHeaderComplete && !isStreamed && breach == nil && sink?.isPrompt == true
  }

  /// Gives the sink what has come so far, and the rest as it comes; returns whether to continue.
  mutating func beginStreaming() -> Bool {
    isStreamed = true
    do throws(GatebookError) {
      try sink?.start(HTTPReply(status: status, fields: fields))
    } catch {
      breach = .sink(error)
      return false
    }
    let beginning = body
    body = []
    return beginning.withUnsafeBytes { hand(over: $0) }
  }

  private mutating func hand(over piece: UnsafeRawBufferPointer) -> Bool {
    guard !piece.isEmpty else { return true }
    do throws(GatebookError) {
      try sink?.take(piece)
      return true
    } catch {
      breach = .sink(error)
      return false
    }
  }
}

extension Slice<UnsafeRawBufferPointer> {
  /// The bytes without such ones at both ends.
  fileprivate func trimming(_ isDropped: (UInt8) -> Bool) -> Self {
    guard let first = firstIndex(where: { !isDropped($0) }),
      let last = lastIndex(where: { !isDropped($0) })
    else { return self[startIndex..<startIndex] }
    return self[first...last]
  }

  /// The bytes as UTF-8, or else as ISO-8859-1; a bare CR is a blank (RFC 9112 section 2.2).
  fileprivate var text: String {
    // Nearly all fields are ASCII: that is seen sooner than whether they are UTF-8.
    if allSatisfy({ $0 < 0x80 && $0 != 0x0d }) {
      return String(decoding: UnsafeRawBufferPointer(rebasing: self), as: UTF8.self)
    }
    if !contains(0x0d), let text = String(validating: self, as: UTF8.self) { return text }
    let bytes = map { $0 == 0x0d ? 0x20 : $0 }
    if let text = String(validating: bytes, as: UTF8.self) {
      return text
    }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}

extension UInt8 {
  /// A blank or a tab.
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
}
