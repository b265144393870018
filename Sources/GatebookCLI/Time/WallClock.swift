internal import Gatebook

/// A clock without the time since this machine's start: for what happened on others.
struct WallClock: BookClock {
  let clock: any BookClock

  func now() -> Moment { Moment(wall: clock.now().wall, boot: .zero) }
  func sleep(for duration: Duration) async { await clock.sleep(for: duration) }
  func pause(for duration: Duration) async { await clock.pause(for: duration) }
}
