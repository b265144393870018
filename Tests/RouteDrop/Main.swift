internal import Gatebook
internal import Glibc

/// Drops the routes of its network one way after the other, and says how soon the monitor told it.
///
/// It must run in a network namespace of its own, as by `unshare -rn`: its routes are gone
/// afterwards.
@main enum Main {
  static func main() async {
    let clock = SystemClock()
    var reports = NetlinkMonitor().reaches().makeAsyncIterator()
    guard await reports.next() == NetworkReach.nowhere else {
      return end("This network has routes already: run it by `unshare -rn`.", 2)
    }
    for step in Step.all {
      guard Shell.run(step.command) else { return end("\(step.name): the command failed.", 2) }
      let done = clock.now().boot
      // The test that started it ends it when no report comes.
      var reach = await reports.next()
      while let seen = reach, seen != step.reach { reach = await reports.next() }
      guard reach != nil else { return end("\(step.name): the monitor has ended.", 1) }
      let time = (clock.now().boot - done) / Duration.milliseconds(1)
      print("\(step.name): \(step.reach) after \(Int(time)) ms")
    }
  }

  private static func end(_ message: String, _ status: Int32) {
    print(message)
    exit(status)
  }
}
