internal import FoundationEssentials

/// A JSON value as the fakes read and write it, independent of the code under test.
///
/// Foundation reads it, which accepts a comma after the last value too. It is written in the order
/// in which it was made, as the servers that are faked write theirs.
enum PlainJSON: Hashable, Sendable {
  /// One member of an object; objects that are made keep their order.
  struct Member: Hashable, Sendable {
    var name: String
    var value: PlainJSON
  }

  case null
  case bool(Bool)
  /// A number, or any other JSON text, unchanged.
  case raw(String)
  case string(String)
  case array([PlainJSON])
  case object([Member])

  /// A time in seconds, with a fraction below one second.
  static func seconds(_ duration: Duration) -> PlainJSON {
    let (seconds, attoseconds) = duration.components
    guard seconds == 0, attoseconds > 0 else { return .integer(seconds) }
    let digits = String(1_000_000 + attoseconds / 1_000_000_000_000).dropFirst()
    return .raw("0.\(digits)")
  }

  /// An integer.
  static func integer(_ value: some BinaryInteger) -> PlainJSON {
    .raw(String(value))
  }

  /// The value of an object's member; `nil` where there is none, and to remove it.
  subscript(name: String) -> PlainJSON? {
    get {
      guard case .object(let members) = self else { return nil }
      return members.last { $0.name == name }?.value
    }
    set {
      guard case .object(var members) = self else { return }
      let index = members.firstIndex { $0.name == name }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(name: name, value: value))
      case (nil, nil): return
      }
      self = .object(members)
    }
  }

  /// The members of an object whose values are texts, as they are.
  var texts: [(name: String, value: String)] {
    guard case .object(let members) = self else { return [] }
    return members.map { ($0.name, $0.value.string ?? $0.value.text) }
  }

  /// The text of a string.
  var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// A 64-bit integer, also one that came as decimal text, which a portal converts.
  var integer: Int64? {
    switch self {
    case .raw(let text), .string(let text): Int64(text)
    default: nil
    }
  }

  /// The JSON text, without blanks.
  var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .raw(let text): text
    case .string(let text): Self.quoted(text)
    case .array(let values): "[\(values.map(\.text).joined(separator: ","))]"
    case .object(let members):
      "{\(members.map { "\(Self.quoted($0.name)):\($0.value.text)" }.joined(separator: ","))}"
    }
  }

  private static func quoted(_ text: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    guard let quoted = try? encoder.encode(text) else { preconditionFailure("A text has no JSON.") }
    return String(decoding: quoted, as: UTF8.self)
  }
}

extension PlainJSON: Decodable {
  /// Reads one JSON text (RFC 8259) to its end; `nil` when the bytes are not one.
  static func read(_ bytes: [UInt8]) -> PlainJSON? {
    try? JSONDecoder().decode(PlainJSON.self, from: Data(bytes))
  }

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let isTrue = try? value.decode(Bool.self) {
      self = .bool(isTrue)
    } else if let text = try? value.decode(String.self) {
      self = .string(text)
    } else if let number = try? value.decode(Decimal.self) {
      self = .raw(number.description)
    } else if let values = try? value.decode([PlainJSON].self) {
      self = .array(values)
    } else {
      let members = try value.decode([String: PlainJSON].self).sorted { $0.key < $1.key }
      self = .object(members.map { Member(name: $0.key, value: $0.value) })
    }
  }
}

extension PlainJSON: ExpressibleByDictionaryLiteral, ExpressibleByStringLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral
{
  init(dictionaryLiteral members: (String, PlainJSON)...) {
    self = .object(members.map { Member(name: $0.0, value: $0.1) })
  }

  init(stringLiteral text: String) {
    self = .string(text)
  }

  init(booleanLiteral value: Bool) {
    self = .bool(value)
  }

  init(integerLiteral value: Int64) {
    self = .integer(value)
  }
}

extension LoopbackReply {
  /// A JSON value.
  static func json(
    _ value: PlainJSON, status: Int = 200, fields: LoopbackFields = [:]
  ) -> LoopbackReply {
    .json(value.text, status: status, fields: fields)
  }

  /// A refusal of RFC 6749 section 5.2.
  static func refused(
    _ error: String, status: Int = 400, description: String? = nil, fields: LoopbackFields = [:]
  ) -> LoopbackReply {
    var answer: PlainJSON = ["error": .string(error)]
    answer["error_description"] = description.map { .string($0) }
    return .json(answer, status: status, fields: fields)
  }

  /// Sends the browser back to a client with more parameters.
  static func redirect(
    to uri: String, adding parameters: [(name: String, value: String)]
  ) -> LoopbackReply {
    let query = parameters.map { "\($0.name)=\(PercentText.encode($0.value))" }
    let mark = uri.contains("?") ? "&" : "?"
    return .redirect(to: "\(uri)\(mark)\(query.joined(separator: "&"))")
  }
}
