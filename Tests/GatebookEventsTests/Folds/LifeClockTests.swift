import GatebookEvents
import Testing

/// Rule 11: how old a session's secrets are, whatever the clocks show.
@Suite struct LifeClockTests {
  private static let here = BootID(rawValue: 1)
  private static let hour: Int64 = 3_600_000_000

  /// Asked for at 10:00 by the wall clock, 1000 s after the machine's start.
  private static let clock = LifeClock(
    wall: Timestamp(rawValue: 10 * hour), boot: 1_000_000_000, bootID: here)

  /// A moment so many seconds after that by each clock.
  private static func later(
    wall: Int64, boot: Int64, _ bootID: BootID? = here
  ) -> Moment {
    Moment(
      wall: Timestamp(rawValue: 10 * hour) + .seconds(wall), boot: .seconds(1000 + boot),
      bootID: bootID)
  }

  private static let other = BootID(rawValue: 2)

  @Test(
    arguments: [
      ("as it should be", later(wall: 60, boot: 60), 60),
      ("the wall clock jumped forward", later(wall: 3660, boot: 60), 60),
      ("the wall clock jumped back", later(wall: -3540, boot: 60), 60),
      ("restarted", later(wall: 90, boot: -990, other), 90),
      ("restarted, a longer run than before", later(wall: 9000, boot: 500, other), 9000),
      ("restarted, set back", later(wall: -3510, boot: -990, other), 10),
      ("restarted, set back, a long run", later(wall: -3510, boot: 800, other), 1800),
      ("restarted, set forward", later(wall: 3690, boot: -990, other), 3690),
      ("nobody knows, forward", later(wall: 3660, boot: 60, nil), 3660),
      ("nobody knows, back", later(wall: -3540, boot: 60, nil), 60),
      ("the boot clock went back", later(wall: 90, boot: -990, nil), 90),
      ("the boot clock went back, set back", later(wall: -3510, boot: -990, nil), 10),
    ] as [(String, Moment, Int64)])
  func `the clock that can tell counts`(_ name: String, now: Moment, age: Int64) {
    #expect(Self.clock.age(at: now, offset: 0) == .seconds(age), "\(name)")
  }

  @Test(arguments: [0, 3600, -3600] as [Int64])
  func `the moment of the request is the same at each reading, and moves with a clock that is set`(
    _ jump: Int64
  ) {
    let sent = Timestamp(rawValue: 10 * Self.hour) + .seconds(jump)
    for seconds in [0, 1, 59, 3600] as [Int64] {
      for microseconds in [0, 1, 7, 900, 400_000] as [Int64] {
        for sign in [-1, 1] as [Int64] {
          var now = Self.later(wall: seconds + jump, boot: seconds)
          now.wall = now.wall + .microseconds(sign * microseconds)
          #expect(Self.clock.sent(at: now, offset: 0) == sent)
        }
      }
    }
  }

  @Test func `after a restart the server's clock corrects ours`() {
    // Set back by an hour; an answer has shown it since.
    let now = Self.later(wall: -3510, boot: -990, Self.other)
    #expect(Self.clock.age(at: now, offset: Self.hour) == .seconds(90))
    // The server was an hour ahead before, and is so still: nobody's clock was set.
    var clock = Self.clock
    clock.offset = Self.hour
    let later = Self.later(wall: 90, boot: -990, Self.other)
    #expect(clock.age(at: later, offset: Self.hour) == .seconds(90))
    // Within one start nobody needs it.
    #expect(
      Self.clock.age(at: Self.later(wall: 60, boot: 60), offset: Self.hour) == .seconds(60))
  }

  @Test func `what is due by any clock is due`() {
    #expect(
      Self.clock.oldestAge(at: Self.later(wall: 3660, boot: 60), offset: 0) == .seconds(3660))
    #expect(
      Self.clock.oldestAge(at: Self.later(wall: -3540, boot: 60), offset: 0) == .seconds(60))
  }

  @Test(
    arguments: [
      (later(wall: 60, boot: 60), nil), (later(wall: 65, boot: 60), nil),
      (later(wall: 66, boot: 60), 6), (later(wall: 3660, boot: 60), 3600),
      (later(wall: -3540, boot: 60), -3600), (later(wall: 9000, boot: -990, other), nil),
      (later(wall: 9000, boot: 60, nil), nil),
    ] as [(Moment, Int64?)])
  func `a jump shows against the boot clock of the same start`(now: Moment, jump: Int64?) {
    #expect(Self.clock.jump(at: now) == jump.map { .seconds($0) })
  }

  @Test func `a clock jump is found once`() {
    var clock = Self.clock
    clock.jumped = Self.hour
    #expect(clock.jump(at: Self.later(wall: 3660, boot: 60)) == nil)
    #expect(clock.jump(at: Self.later(wall: 60, boot: 60)) == .seconds(-3600))
  }

  @Test func `clocks at their ends are no trap`() {
    let clock = LifeClock(
      wall: Timestamp(rawValue: .min), boot: .min, offset: .min, jumped: .max)
    let now = Moment(wall: Timestamp(rawValue: .max), boot: .seconds(Int64.max / 2))
    #expect(clock.age(at: now, offset: .max) > .zero)
    #expect(clock.oldestAge(at: now, offset: .max) > .zero)
  }
}
