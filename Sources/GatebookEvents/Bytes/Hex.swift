/// Hexadecimal text, two digits a byte.
package enum Hex {
  private static let digits = Array("0123456789abcdef".utf8)

  /// Lower-case digits for the bytes.
  package static func encode(_ bytes: some Collection<UInt8>) -> String {
    String(unsafeUninitializedCapacity: bytes.count * 2) { buffer in
      var index = 0
      for byte in bytes {
        buffer[index] = digits[Int(byte >> 4)]
        buffer[index + 1] = digits[Int(byte & 15)]
        index += 2
      }
      return index
    }
  }

  /// Appends the digits of eight bytes, big end first.
  static func append(_ number: UInt64, to text: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { buffer in
      for index in 0..<16 {
        buffer.initializeElement(
          at: index, to: digits[Int(number >> UInt64(60 - 4 * index) & 15)])
      }
      text.append(contentsOf: UnsafeBufferPointer(buffer))
    }
  }

  /// The bytes that digits of either case stand for; `nil` for an odd count or another character.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    decode(Array(text.utf8))
  }

  /// The bytes that digits of either case stand for; `nil` for an odd count or another character.
  package static func decode(_ characters: [UInt8]) -> [UInt8]? {
    guard characters.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.count / 2)
    for index in stride(from: 0, to: characters.count, by: 2) {
      guard let high = value(characters[index]), let low = value(characters[index + 1]) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  /// What a digit of either case stands for; `nil` for another character.
  package static func value(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
