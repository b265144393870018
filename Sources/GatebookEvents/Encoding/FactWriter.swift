/// Writes canonical JSON, the one form of an event's facts, straight into bytes.
///
/// Canonical means: one object; keys in ascending order of their UTF-8 bytes and each once; no
/// blanks; integers only; strings in UTF-8 with exactly the escapes of RFC 8785 section 3.2.2.2.
/// The caller writes keys in ascending order; a key out of order is a programmer's error.
public struct FactWriter: Sendable {
  private var bytes: [UInt8]
  private var last: [UInt8]?

  /// Makes a writer that has opened its object.
  public init() {
    bytes = [UInt8(ascii: "{")]
    bytes.reserveCapacity(160)
  }

  /// Writes a text; `nil` writes nothing.
  public mutating func field(_ key: String, _ value: String?) {
    guard let value else { return }
    open(key)
    Self.append(value, to: &bytes)
  }

  /// Writes an integer; `nil` writes nothing.
  public mutating func field(_ key: String, _ value: Int64?) {
    guard let value else { return }
    open(key)
    bytes.append(contentsOf: String(value).utf8)
  }

  /// Writes a truth value; `nil` writes nothing.
  public mutating func field(_ key: String, _ value: Bool?) {
    guard let value else { return }
    open(key)
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  /// Writes any value; `nil` writes nothing.
  public mutating func field(_ key: String, _ value: FactValue?) {
    guard let value else { return }
    open(key)
    value.append(to: &bytes)
  }

  /// Writes a list of texts in their order; `nil` writes nothing.
  public mutating func field(_ key: String, _ values: [String]?) {
    field(key, values.map { FactValue.list($0.map(FactValue.text)) })
  }

  /// Closes the object.
  ///
  /// - Returns: The canonical bytes.
  public consuming func finish() -> [UInt8] {
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  private mutating func open(_ key: String) {
    let name = Array(key.utf8)
    if let last {
      precondition(last.lexicographicallyPrecedes(name), "facts are written in key order: \(key)")
      bytes.append(UInt8(ascii: ","))
    }
    last = name
    Self.append(key, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
  }

  static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x20...: bytes.append(byte)
      default:
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 8: bytes.append(UInt8(ascii: "b"))
        case 9: bytes.append(UInt8(ascii: "t"))
        case 10: bytes.append(UInt8(ascii: "n"))
        case 12: bytes.append(UInt8(ascii: "f"))
        case 13: bytes.append(UInt8(ascii: "r"))
        default: bytes.append(contentsOf: "u00\(Hex.encode([byte]))".utf8)
        }
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
