/// One reading of both clocks.
public struct Moment: Hashable, Sendable {
  /// The wall clock; may jump.
  public var wall: Timestamp
  /// Time since the machine was started, sleep included; never jumps, means nothing after a reboot.
  public var boot: Duration

  /// Makes a reading from its two parts.
  public init(wall: Timestamp, boot: Duration) {
    self.wall = wall
    self.boot = boot
  }
}
