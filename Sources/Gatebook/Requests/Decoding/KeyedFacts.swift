/// The members of an object, by the app's keys.
struct KeyedFacts<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let facts: Facts
  let codingPath: [any CodingKey]

  init(_ facts: Facts, at path: [any CodingKey]) {
    self.facts = facts
    codingPath = path
  }

  var allKeys: [Key] { facts.names.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { facts[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).isNull }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try decoder(key).bool()
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try decoder(key).text()
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try decoder(key).floating()
  }

  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try decoder(key).floating()
  }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try decoder(key).integer()
  }

  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
    try decoder(key).integer()
  }

  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
    try decoder(key).integer()
  }

  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
    try decoder(key).integer()
  }

  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try decoder(key).integer()
  }

  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
    try decoder(key).integer()
  }

  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
    try decoder(key).integer()
  }

  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try decoder(key).integer()
  }

  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try decoder(key).integer()
  }

  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try decoder(key).integer()
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoder(key).decode(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try decoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { parent(FactKey.parent) }

  func superDecoder(forKey key: Key) throws -> any Decoder { parent(key) }

  private func decoder(_ key: Key) throws -> FactDecoder {
    guard let value = facts[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key,
        DecodingError.Context(codingPath: codingPath, debugDescription: "This member is missing."))
    }
    return FactDecoder(value, at: codingPath + [key])
  }

  /// A superclass without members of its own may be absent.
  private func parent(_ key: any CodingKey) -> FactDecoder {
    FactDecoder(facts[key.stringValue] ?? .null, at: codingPath + [key])
  }
}
