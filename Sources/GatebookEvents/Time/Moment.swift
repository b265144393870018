/// One reading of both clocks.
public struct Moment: Hashable, Sendable {
  /// The wall clock; may jump.
  public var wall: Timestamp
  /// Time since the machine was started, sleep included; never jumps, means nothing after a reboot.
  public var boot: Duration
  /// Which start of the machine `boot` counts from; `nil` where the clock does not know.
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
