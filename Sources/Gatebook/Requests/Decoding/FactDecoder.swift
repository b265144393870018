/// Decodes an app's own types from the JSON of an answer.
///
/// Null, missing and nested values are what `Decodable` makes of them. A number with a fraction, or
/// beyond 64 bits, is decoded from the text that the server wrote; a number that does not fit the
/// type is an error, never cut. Bytes are lists of numbers.
package struct FactDecoder: Decoder {
  let value: FactValue
  /// Where the value stands in the answer.
  package let codingPath: [any CodingKey]
  /// Nothing.
  package var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Takes the value of a whole document.
  package init(_ value: FactValue) {
    self.init(value, at: [])
  }

  init(_ value: FactValue, at path: [any CodingKey]) {
    self.value = value
    codingPath = path
  }

  /// The members of an object.
  package func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard let facts = value.object else { throw mismatch([String: FactValue].self) }
    return KeyedDecodingContainer(KeyedFacts<Key>(facts, at: codingPath))
  }

  /// The values of a list.
  package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let values = value.list else { throw mismatch([FactValue].self) }
    return UnkeyedFacts(values, at: codingPath)
  }

  /// The value itself.
  package func singleValueContainer() throws -> any SingleValueDecodingContainer {
    SingleFact(decoder: self)
  }
}

extension FactDecoder {
  var isNull: Bool { value == .null }

  func bool() throws -> Bool {
    guard let bool = value.bool else { throw mismatch(Bool.self) }
    return bool
  }

  func text() throws -> String {
    guard let text = value.text else { throw mismatch(String.self) }
    return text
  }

  func integer<Integer: FixedWidthInteger>(_ type: Integer.Type = Integer.self) throws -> Integer {
    switch value {
    case .integer(let number):
      guard let integer = Integer(exactly: number) else { throw outOfRange(type) }
      return integer
    case .text(let text) where JSONNumber.isKeptAsText(text):
      guard let integer = JSONNumber.integer(text, type) else { throw outOfRange(type) }
      return integer
    case .null, .bool, .text, .list, .object: throw mismatch(type)
    }
  }

  func floating<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ type: Number.Type = Number.self
  ) throws -> Number {
    switch value {
    case .integer(let number): return Number(number)
    case .text(let text) where JSONNumber.isKeptAsText(text):
      guard let number = Number(text), number.isFinite else { throw outOfRange(type) }
      return number
    case .null, .bool, .text, .list, .object: throw mismatch(type)
    }
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try Value(from: self)
  }

  private func mismatch(_ type: Any.Type) -> DecodingError {
    // A null where a value is needed is told apart, as other decoders do.
    let context = DecodingError.Context(
      codingPath: codingPath, debugDescription: "The value has another type.")
    return isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  private func outOfRange(_ type: Any.Type) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(
        codingPath: codingPath, debugDescription: "The number does not fit \(type)."))
  }
}
