internal import Gatebook
internal import GatebookEvents

/// A parameter of a statement, in the binary form of its type.
struct PostgresValue {
  /// The number of the type in `pg_type`.
  let type: UInt32
  /// The value; `nil` is NULL.
  let bytes: [UInt8]?

  private init(_ type: UInt32, _ bytes: [UInt8]?) {
    self.type = type
    self.bytes = bytes
  }

  private static let textType: UInt32 = 25
  private static let bytesType: UInt32 = 17
  private static let uuidType: UInt32 = 2950

  static func text(_ text: String?) -> PostgresValue {
    PostgresValue(textType, text.map { Array($0.utf8) })
  }

  static func bytes(_ bytes: [UInt8]?) -> PostgresValue { PostgresValue(bytesType, bytes) }

  static func integer(_ number: Int64?) -> PostgresValue {
    PostgresValue(20, number.map { bytes(of: $0) })
  }

  static func small(_ number: Int32?) -> PostgresValue {
    PostgresValue(23, number.map { bytes(of: $0) })
  }

  static func bool(_ value: Bool) -> PostgresValue { PostgresValue(16, [value ? 1 : 0]) }

  static func identity(_ identity: (some Identity)?) -> PostgresValue {
    PostgresValue(uuidType, identity?.bytes)
  }

  static func texts(_ texts: [String?]) -> PostgresValue {
    PostgresValue(1009, array(of: textType, texts.map { $0.map { Array($0.utf8) } }))
  }

  static func texts(bytes: [[UInt8]?]) -> PostgresValue {
    PostgresValue(1009, array(of: textType, bytes))
  }

  static func bytesArray(_ values: [[UInt8]]) -> PostgresValue {
    PostgresValue(1001, array(of: bytesType, values))
  }

  static func identities(_ identities: [some Identity]) -> PostgresValue {
    PostgresValue(2951, array(of: uuidType, identities.map(\.bytes)))
  }

  static func integers(_ numbers: [Int64]) -> PostgresValue {
    PostgresValue(1016, array(of: 20, numbers.map { bytes(of: $0) }))
  }

  /// One dimension, counted from 1: how many dimensions, whether a NULL may be in it, the type of
  /// the elements, how many there are, the first one's number, then each with its length.
  private static func array(of type: UInt32, _ elements: [[UInt8]?]) -> [UInt8] {
    var bytes = Self.bytes(of: Int32(elements.isEmpty ? 0 : 1)) + Self.bytes(of: Int32(1))
    bytes += Self.bytes(of: type)
    guard !elements.isEmpty else { return bytes }
    bytes += Self.bytes(of: Int32(elements.count)) + Self.bytes(of: Int32(1))
    for element in elements {
      bytes += Self.bytes(of: Int32(element?.count ?? -1))
      bytes += element ?? []
    }
    return bytes
  }

  private static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}
