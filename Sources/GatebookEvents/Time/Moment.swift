/// One reading of both clocks.
public struct Moment: Hashable, Sendable {
  /// The wall clock; may jump.
  public var wall: Timestamp
  /// The time since the machine started, including sleep; it never jumps, and is meaningless after a reboot.
  public var boot: Duration
  /// The start of the machine that `boot` counts from; `nil` if the clock does not know it.
  public var bootID: BootID?

  /// Makes a reading from its parts.
  public init(wall: Timestamp, boot: Duration, bootID: BootID? = nil) {
    self.wall = wall
    self.boot = boot
    self.bootID = bootID
  }

  /// The moment a duration earlier, by both clocks.
  package static func - (moment: Moment, duration: Duration) -> Moment {
    Moment(
      wall: moment.wall - duration, boot: moment.boot - duration, bootID: moment.bootID)
  }
}
