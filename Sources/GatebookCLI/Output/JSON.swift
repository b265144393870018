internal import Gatebook

/// A JSON value whose members keep the order they were given in.
indirect enum JSON: Hashable, Sendable {
  case bool(Bool)
  case integer(Int64)
  case text(String)
  case list([JSON])
  case object([Member])
  case null

  /// One member of an object.
  struct Member: Hashable, Sendable {
    let name: String
    let value: JSON
  }

  /// A moment, RFC 3339 in UTC with microseconds.
  static func time(_ moment: Timestamp) -> JSON { .text(TimeText.machine(moment)) }

  /// A place in the log.
  static func position(_ position: Position) -> JSON { .integer(position.rawValue) }

  /// Runs of positions, each as its first and its last.
  static func pairs(_ ranges: [ClosedRange<Position>]) -> JSON {
    .list(
      ranges.map { range in
        .list([.integer(range.lowerBound.rawValue), .integer(range.upperBound.rawValue)])
      })
  }

  /// An object of the members that are there: what is absent is left out.
  static func present(_ members: KeyValuePairs<String, JSON?>) -> JSON {
    .members(members.map { ($0.key, $0.value) })
  }

  /// An object of the members that are there, put together from several lists.
  static func members(_ members: [(String, JSON?)]) -> JSON {
    .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
  }

  /// Whether it is an object.
  var isObject: Bool {
    if case .object = self { true } else { false }
  }

  /// The names of an object's members in their order; none for any other value.
  var names: [String] {
    if case .object(let members) = self { members.map(\.name) } else { [] }
  }

  /// The member with a name; `nil` when there is none.
  subscript(name: String) -> JSON? {
    if case .object(let members) = self { members.first { $0.name == name }?.value } else { nil }
  }

  /// Facts of an event or of a user, names in ascending order.
  init(_ facts: Facts) {
    self = .object(
      facts.names.compactMap { name in facts[name].map { Member(name: name, value: JSON($0)) } })
  }

  /// One fact.
  init(_ value: FactValue) {
    self =
      switch value {
      case .null: .null
      case .bool(let bool): .bool(bool)
      case .integer(let integer): .integer(integer)
      case .text(let text): .text(text)
      case .list(let values): .list(values.map { JSON($0) })
      case .object(let facts): JSON(facts)
      }
  }

  /// The value on one line.
  var encoded: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  private func append(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .integer(let value): bytes += String(value).utf8
    case .text(let value): Self.append(value, to: &bytes)
    case .list(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        value.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.append(member.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// Beside what RFC 8259 section 7 demands, everything is escaped that a terminal might obey.
  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": bytes += #"\""#.utf8
      case "\\": bytes += #"\\"#.utf8
      case "\n": bytes += #"\n"#.utf8
      case "\r": bytes += #"\r"#.utf8
      case "\t": bytes += #"\t"#.utf8
      default:
        if Printable.isUnsafe(scalar) {
          // All unsafe scalars lie in the Basic Multilingual Plane: one escape each.
          let value = UInt16(truncatingIfNeeded: scalar.value)
          bytes += "\\u\(Hex.encode([UInt8(value >> 8), UInt8(value & 255)]))".utf8
        } else {
          bytes += scalar.utf8
        }
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

extension JSON: ExpressibleByDictionaryLiteral {
  init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.map { Member(name: $0, value: $1) })
  }
}
