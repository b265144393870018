import GatebookAuthentication
import GatebookEvents
import Testing

/// What an answer's `Date` says of the server's clock.
struct ServerClockTests {
  /// 2023-11-14T22:13:20Z, and so many seconds later.
  private func moment(_ seconds: Int64) -> Moment {
    Moment(
      wall: Timestamp(rawValue: 1_700_000_000_000_000) + .seconds(seconds),
      boot: .seconds(5000 + seconds))
  }

  private func reply(_ date: String?) -> HTTPReply {
    HTTPReply(status: 200, fields: date.map { [HTTPField("Date", $0)] } ?? [])
  }

  @Test(
    arguments: [
      ("Tue, 14 Nov 2023 22:13:20 GMT", 0, 0), ("Tue, 14 Nov 2023 22:13:24 GMT", 0, 0),
      ("Tue, 14 Nov 2023 22:13:26 GMT", 0, 6), ("Tue, 14 Nov 2023 23:13:20 GMT", 0, 3600),
      ("Tue, 14 Nov 2023 21:13:20 GMT", 0, -3600),
      // The answer took ten minutes: the server wrote it somewhere in between.
      ("Tue, 14 Nov 2023 22:13:20 GMT", 600, 0), ("Tue, 14 Nov 2023 22:23:20 GMT", 600, 0),
      ("Tue, 14 Nov 2023 22:18:20 GMT", 600, 0),
      ("Tue, 14 Nov 2023 23:23:20 GMT", 600, 3600),
      ("Tue, 14 Nov 2023 21:13:20 GMT", 600, -3600),
      ("tomorrow", 0, 0),
    ] as [(String, Int64, Int64)])
  func `what rounding and the way cannot explain is the clock`(
    date: String, way: Int64, offset: Int64
  ) {
    var clock = ServerClock()
    clock.observe(reply(date), from: moment(0), to: moment(way))
    #expect(clock.offset == .seconds(offset))
  }

  @Test func `an answer that lay in a cache shows no clock`() {
    var stored = reply("Tue, 14 Nov 2023 21:13:20 GMT")
    stored.fields.append(HTTPField("Age", "3600"))
    var clock = ServerClock()
    clock.observe(stored, from: moment(0), to: moment(0))
    #expect(clock.offset == .zero)
  }

  @Test func `what is known already stays as long as it may be right`() {
    var clock = ServerClock(microseconds: 3_600_000_000)
    let date = reply("Tue, 14 Nov 2023 23:13:23 GMT")
    clock.observe(date, from: moment(0), to: moment(1))
    #expect(clock.offset == .seconds(3600))
    clock.observe(reply(nil), from: moment(0), to: moment(1))
    #expect(clock.offset == .seconds(3600))
    clock.observe(reply("Tue, 14 Nov 2023 22:13:21 GMT"), from: moment(0), to: moment(1))
    #expect(clock.offset == .zero)
  }
}
