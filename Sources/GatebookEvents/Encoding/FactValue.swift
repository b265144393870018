/// One value of canonical JSON, as in an event's facts, a record in the vault and a user's
/// attributes.
///
/// There are no fractions: a number that is not an integer is kept as text.
public enum FactValue: Hashable, Sendable {
  /// JSON's `null`.
  case null
  /// A truth value.
  case bool(Bool)
  /// A 64-bit integer.
  case integer(Int64)
  /// A text.
  case text(String)
  /// Values in their order.
  case list([FactValue])
  /// Named values.
  case object(Facts)

  /// The text; `nil` for any other kind of value.
  public var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// The integer; `nil` for any other kind of value.
  public var integer: Int64? {
    if case .integer(let integer) = self { integer } else { nil }
  }

  /// The truth value; `nil` for any other kind of value.
  public var bool: Bool? {
    if case .bool(let bool) = self { bool } else { nil }
  }

  /// The values of a list; `nil` for any other kind of value.
  public var list: [FactValue]? {
    if case .list(let list) = self { list } else { nil }
  }

  /// The named values of an object; `nil` for any other kind of value.
  public var object: Facts? {
    if case .object(let object) = self { object } else { nil }
  }

  /// How many levels there are: 1 for all but lists and objects.
  var depth: Int {
    switch self {
    case .null, .bool, .integer, .text: 1
    case .list(let values): 1 + (values.lazy.map(\.depth).max() ?? 0)
    case .object(let facts): facts.depth
    }
  }

  /// The canonical bytes of the value alone.
  package var encoded: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  /// The value as an attribute: a list or an object becomes its JSON text.
  package var flattened: FactValue {
    switch self {
    case .null, .bool, .integer, .text: self
    case .list, .object: .text(String(decoding: encoded, as: UTF8.self))
    }
  }

  func append(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
    case .integer(let value): CanonicalText.append(value, to: &bytes)
    case .text(let value): CanonicalText.append(value, to: &bytes)
    case .list(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        value.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let facts): facts.encode(into: &bytes)
    }
  }

  /// A text; `nil` stays `nil`, so that an absent fact is left out.
  package static func optional(_ text: String?) -> FactValue? { text.map(FactValue.text) }

  /// An integer; `nil` stays `nil`, so that an absent fact is left out.
  package static func optional(_ integer: Int64?) -> FactValue? { integer.map(FactValue.integer) }
}

extension FactValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral
{
  /// Makes a text.
  public init(stringLiteral value: String) { self = .text(value) }

  /// Makes an integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }

  /// Makes a truth value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}
