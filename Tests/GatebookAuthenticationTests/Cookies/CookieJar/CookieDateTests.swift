internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

/// RFC 6265 section 5.1.1.
@Suite struct CookieDateTests {
  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
    ("Sun Nov  6 08:49:37 1994", 784_111_777),
    ("6 nov 1994 8:49:37", 784_111_777),
    ("1994/NOVember/06 08:49:37 PST", 784_111_777),
    ("08:49:37x 06th Nov 1994AD", 784_111_777),
    ("08:49:37 Nov 6 1994 1995 7 Dec 00:00:00", 784_111_777),
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("01 Jan 70 00:00:00", 0),
    ("01 Jan 69 00:00:00", 3_124_224_000),
    ("01 Jan 00 00:00:00", 946_684_800),
    ("01 Jan 99 00:00:00", 915_148_800),
    ("29 Feb 2024 23:59:59", 1_709_251_199),
    ("29 Feb 2000 00:00:00", 951_782_400),
    ("31 Dec 9999 23:59:59", 253_402_300_799),
    ("01 Jan 1601 00:00:00", -11_644_473_600),
    ("31 Dec 1969 23:59:59", -1),
  ])
  func `a date is found among anything`(_ text: String, _ seconds: Int64) throws {
    var jar = CookieJar()
    let start = Timestamp(rawValue: .min)
    try jar.take("a=b; Expires=\(text)", at: start)
    #expect(try jar.only(at: start)["expires"] == .integer(seconds * 1_000_000))
  }

  @Test(arguments: [
    "", "garbage", "06 Nov 1994", "06 Nov 08:49:37", "Nov 1994 08:49:37", "06 1994 08:49:37",
    "006 Nov 1994 08:49:37", "06 Nov 19945 08:49:37", "06 Nov 1 08:49:37",
    "31 Feb 2024 00:00:00", "29 Feb 2023 00:00:00", "29 Feb 2100 00:00:00", "31 Apr 2024 00:00:00",
    "00 Jan 2024 00:00:00", "32 Jan 2024 00:00:00", "01 Jan 1600 00:00:00", "01 Jan 0999 00:00:00",
    "01 Jan 2024 24:00:00", "01 Jan 2024 00:60:00", "01 Jan 2024 00:00:60",
    "01 Jan 2024 000:00:00", "01 Jan 2024 00:00", "01 Jan 2024 00:00:000", "01 Jän 2024 00:00:00",
    "01 Jan 2024 1e:00:00",
  ])
  func `a date that the algorithm fails on is ignored`(_ text: String) throws {
    var jar = CookieJar()
    try jar.take("a=b; Expires=\(text)")
    #expect(try jar.only()["expires"] == nil)
  }
}
