/// A JSON value as the loopback servers read and write it, independent of the code under test.
enum PlainJSON: Hashable, Sendable {
  /// One member of an object; objects keep their order.
  struct Member: Hashable, Sendable {
    var name: String
    var value: PlainJSON
  }

  case null
  case bool(Bool)
  /// A number as it stands in the text: nothing is rounded.
  case number(String)
  case string(String)
  case array([PlainJSON])
  case object([Member])

  /// A time in seconds, with a fraction below one second.
  static func seconds(_ duration: Duration) -> PlainJSON {
    let (seconds, attoseconds) = duration.components
    guard seconds == 0, attoseconds > 0 else { return .integer(seconds) }
    let digits = String(1_000_000 + attoseconds / 1_000_000_000_000).dropFirst()
    return .number("0.\(digits)")
  }

  /// An integer.
  static func integer(_ value: some BinaryInteger) -> PlainJSON {
    .number(String(value))
  }

  /// An object in the order of a list.
  static func named(_ members: KeyValuePairs<String, PlainJSON>) -> PlainJSON {
    .object(members.map { Member(name: $0.key, value: $0.value) })
  }

  /// The value of an object's member.
  subscript(name: String) -> PlainJSON? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.name == name }?.value
  }

  /// The text of a string.
  var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// A 64-bit integer, also one that came as decimal text, which a portal converts.
  var integer: Int64? {
    switch self {
    case .number(let text), .string(let text): Int64(text)
    default: nil
    }
  }
}
