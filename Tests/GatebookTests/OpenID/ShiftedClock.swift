import Gatebook
import GatebookTestSupport

/// The clock of a server that is fast or slow compared to the tests' own.
struct ShiftedClock: BookClock {
  let clock: FixedClock
  let ahead = TestBox(Duration.zero)

  func now() -> Moment {
    var moment = clock.now()
    moment.wall = moment.wall + ahead.value
    return moment
  }

  func sleep(for duration: Duration) async { await clock.sleep(for: duration) }
}
