/// A 128-bit identity: of an event, an account, a session, a book.
///
/// The text form is 32 lower-case hexadecimal digits, the byte form 16 bytes, big end first.
public protocol Identity: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The first eight bytes, big end first.
  var high: UInt64 { get }
  /// The last eight bytes, big end first.
  var low: UInt64 { get }
  /// Makes an identity from its two halves.
  init(high: UInt64, low: UInt64)
}

extension Identity {
  /// Reads 16 bytes, big end first; `nil` for any other length.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    var high: UInt64 = 0
    var low: UInt64 = 0
    for (index, byte) in bytes.enumerated() {
      if index < 8 { high = high << 8 | UInt64(byte) } else { low = low << 8 | UInt64(byte) }
    }
    self.init(high: high, low: low)
  }

  /// Reads 16 bytes in place, in big-endian order; `nil` for any other length.
  package init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16 else { return nil }
    self.init(
      high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
      low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
  }

  /// Reads 32 hexadecimal digits of either case; `nil` for anything else.
  public init?(_ text: String) {
    guard text.utf8.count == 32, let bytes = Hex.decode(text) else { return nil }
    self.init(bytes: bytes)
  }

  /// The 16 bytes, big end first.
  public var bytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
      for index in 0..<8 {
        buffer[index] = UInt8(truncatingIfNeeded: high >> UInt64(56 - 8 * index))
        buffer[index + 8] = UInt8(truncatingIfNeeded: low >> UInt64(56 - 8 * index))
      }
      count = 16
    }
  }

  /// Appends the 16 bytes to others.
  package func append(to bytes: inout [UInt8]) {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { bytes.append(contentsOf: $0) }
  }

  /// 32 lower-case hexadecimal digits.
  public var description: String { Hex.encode(bytes) }

  /// Byte order.
  public static func < (left: Self, right: Self) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

/// The identity of one account: one person at one server (and one client).
///
/// 16 random bytes.
///
/// It never changes and is never used again, also after an erase.
public struct AccountID: Identity {
  /// The first eight bytes, big end first.
  public let high: UInt64
  /// The last eight bytes, big end first.
  public let low: UInt64

  /// Makes an identity from its two halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

/// The identity of one book.
///
/// 16 random bytes, made when the book is created.
///
/// It binds encrypted data and checkpoints to their book.
public struct BookID: Identity {
  /// The first eight bytes, big end first.
  public let high: UInt64
  /// The last eight bytes, big end first.
  public let low: UInt64

  /// Makes an identity from its two halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

/// The identity of one copy of a book, such as a backup.
///
/// 16 random bytes, made before the copy is begun.
public struct CopyID: Identity {
  /// The first eight bytes, big end first.
  public let high: UInt64
  /// The last eight bytes, big end first.
  public let low: UInt64

  /// Makes an identity from its two halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

/// The identity of one event: a UUID of version 7 (RFC 9562 section 5.7), so later ids sort later.
///
/// Appending a known id again changes nothing, so that a retry is safe.
public struct EventID: Identity {
  /// The first eight bytes, big end first.
  public let high: UInt64
  /// The last eight bytes, big end first.
  public let low: UInt64

  /// Makes an identity from its two halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

/// Identifies one authorization flow: its call, its challenges and its events have it.
public struct FlowID: Identity {
  /// The first eight bytes, big end first.
  public let high: UInt64
  /// The last eight bytes, big end first.
  public let low: UInt64

  /// Makes an identity from its two halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

/// The identity of one installation of a program: 16 random bytes, made once and kept by the app.
public struct InstallationID: Identity {
  /// The first eight bytes, big end first.
  public let high: UInt64
  /// The last eight bytes, big end first.
  public let low: UInt64

  /// Makes an identity from its two halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

/// The identity of one session or login attempt.
///
/// 16 random bytes.
///
/// All events of one login, from its start to its end, have it.
public struct SessionID: Identity {
  /// The first eight bytes, big end first.
  public let high: UInt64
  /// The last eight bytes, big end first.
  public let low: UInt64

  /// Makes an identity from its two halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

/// The place of an event in its book: 1 for the first, no gaps, never reused.
public struct Position: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
  /// 1 or more; 0 only as "before the first event".
  public let rawValue: Int64

  /// Makes a position from its number.
  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// Before the first event.
  public static let start = Position(rawValue: 0)

  /// The number.
  public var description: String { String(rawValue) }

  /// Whether the left position comes first.
  public static func < (left: Position, right: Position) -> Bool {
    left.rawValue < right.rawValue
  }
}
