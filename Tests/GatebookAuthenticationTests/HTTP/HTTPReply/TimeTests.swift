internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

@Suite struct TimeTests {
  private static let noon = "Sat, 01 Jun 2024 12:00:00 GMT"

  @Test(arguments: [
    ("0", nil as Int?), ("120", 120), ("007", 7), ("99999999999999999999", 86_400),
    ("Sat, 01 Jun 2024 12:01:00 GMT", 60), ("Sat, 01 Jun 2024 11:00:00 GMT", nil),
    ("Fri, 31 Dec 9999 00:00:00 GMT", 86_400), ("Sat Jun  1 12:01:00 2024", 60),
    ("", nil), ("-1", nil), ("+1", nil), ("1.5", nil), ("1 s", nil), ("soon", nil),
  ])
  func `a wait is seconds or a date`(_ text: String, _ seconds: Int?) {
    let reply = HTTPReply(status: 503, fields: [HTTPField("retry-after", text)])
    #expect(reply.retryAfter(at: .noon) == seconds.map { Duration.seconds($0) })
  }

  @Test func `a date is counted from the server's own time`() {
    let fields = [
      HTTPField("Date", Self.noon), HTTPField("Retry-After", "Sat, 01 Jun 2024 12:01:00 GMT"),
    ]
    let reply = HTTPReply(status: 503, fields: fields)
    #expect(reply.date(at: .noon) == .noon)
    #expect(reply.retryAfter(at: .noon - .seconds(7200)) == .seconds(60))
  }

  @Test func `without the fields there is no time`() {
    #expect(HTTPReply(status: 200).date(at: .noon) == nil)
    #expect(HTTPReply(status: 200).retryAfter(at: .noon) == nil)
    let broken = HTTPReply(status: 200, fields: [HTTPField("Date", "now")])
    #expect(broken.date(at: .noon) == nil)
  }
}
