/// Named values, each name once: the content of a canonical JSON object.
public struct Facts: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  private var values: [String: FactValue]

  /// Makes an empty set of facts.
  public init() {
    values = [:]
  }

  /// Makes facts from a literal; of a name written twice the last value stays.
  public init(dictionaryLiteral elements: (String, FactValue)...) {
    values = Dictionary(elements) { $1 }
  }

  /// The value of a name; setting `nil` removes it.
  public subscript(name: String) -> FactValue? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// The names in ascending order of their UTF-8 bytes, the order in which they are written.
  public var names: [String] {
    values.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Whether there is nothing.
  public var isEmpty: Bool { values.isEmpty }

  /// The canonical bytes, see `FactWriter`.
  public var encoded: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  func append(to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    for (index, name) in names.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      FactWriter.append(name, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      values[name]?.append(to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }
}
