/// The values of a list, one after the other.
struct UnkeyedFacts: UnkeyedDecodingContainer {
  private let values: [FactValue]
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  init(_ values: [FactValue], at path: [any CodingKey]) {
    self.values = values
    codingPath = path
  }

  var count: Int? { values.count }

  var isAtEnd: Bool { currentIndex >= values.count }

  mutating func decodeNil() throws -> Bool {
    guard try decoder().isNull else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool {
    try take { try $0.bool() }
  }

  mutating func decode(_ type: String.Type) throws -> String {
    try take { try $0.text() }
  }

  mutating func decode(_ type: Double.Type) throws -> Double {
    try take { try $0.floating() }
  }

  mutating func decode(_ type: Float.Type) throws -> Float {
    try take { try $0.floating() }
  }

  mutating func decode(_ type: Int.Type) throws -> Int {
    try take { try $0.integer() }
  }

  mutating func decode(_ type: Int8.Type) throws -> Int8 {
    try take { try $0.integer() }
  }

  mutating func decode(_ type: Int16.Type) throws -> Int16 {
    try take { try $0.integer() }
  }

  mutating func decode(_ type: Int32.Type) throws -> Int32 {
    try take { try $0.integer() }
  }

  mutating func decode(_ type: Int64.Type) throws -> Int64 {
    try take { try $0.integer() }
  }

  mutating func decode(_ type: UInt.Type) throws -> UInt {
    try take { try $0.integer() }
  }

  mutating func decode(_ type: UInt8.Type) throws -> UInt8 {
    try take { try $0.integer() }
  }

  mutating func decode(_ type: UInt16.Type) throws -> UInt16 {
    try take { try $0.integer() }
  }

  mutating func decode(_ type: UInt32.Type) throws -> UInt32 {
    try take { try $0.integer() }
  }

  mutating func decode(_ type: UInt64.Type) throws -> UInt64 {
    try take { try $0.integer() }
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try take { try $0.decode(type) }
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try take { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try take { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try take { $0 } }

  /// What does not decode is not passed over.
  private mutating func take<Value>(_ body: (FactDecoder) throws -> Value) throws -> Value {
    let value = try body(decoder())
    currentIndex += 1
    return value
  }

  private func decoder() throws -> FactDecoder {
    let path = codingPath + [FactKey(index: currentIndex)]
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        Any.self,
        DecodingError.Context(codingPath: path, debugDescription: "The list has no more elements."))
    }
    return FactDecoder(values[currentIndex], at: path)
  }
}
