/// One reading of both clocks.
public struct Moment: Hashable, Sendable {
  /// The wall clock; may jump.
  public var wall: Timestamp
  /// The time since the machine started, including sleep; it never jumps, and is meaningless after
  /// a reboot.
  public var boot: Duration
  /// The start of the machine that `boot` counts from; `nil` if the clock does not know it.
  public var bootID: BootID?

  /// Makes a reading from its parts.
  public init(wall: Timestamp, boot: Duration, bootID: BootID? = nil) {
    self.wall = wall
    self.boot = boot
    self.bootID = bootID
  }
}

/// Identifies one start of the machine: readings of the boot clock can be compared only within one
/// start.
///
/// It says nothing else about the machine. Text form: 16 lower-case hexadecimal digits.
public struct BootID: Hashable, Sendable, CustomStringConvertible {
  /// The eight bytes, big end first.
  public let rawValue: UInt64

  /// Makes an identity from its eight bytes.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Reads 16 hexadecimal digits; `nil` for anything else.
  public init?(_ text: String) {
    guard text.utf8.count == 16, let bytes = Hex.decode(text) else { return nil }
    rawValue = bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// 16 lower-case hexadecimal digits.
  public var description: String {
    Hex.encode((0..<8).map { UInt8(truncatingIfNeeded: rawValue >> UInt64(56 - 8 * $0)) })
  }
}
