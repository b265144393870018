internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

/// RFC 9110 section 5.6.7.
@Suite struct HTTPDateTests {
  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
    ("Sun Nov  6 08:49:37 1994", 784_111_777),
    ("Wed Nov 16 08:49:37 1994", 784_975_777),
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
    ("Thu, 29 Feb 2024 00:00:00 GMT", 1_709_164_800),
    ("Wednesday, 01-Jan-70 00:00:00 GMT", 3_155_760_000),
    ("Saturday, 01-Jun-74 00:00:00 GMT", 3_295_036_800),
    ("Sunday, 01-Dec-74 00:00:00 GMT", 155_088_000),
    ("Tuesday, 01-Jan-75 00:00:00 GMT", 157_766_400),
  ])
  func `the three forms are read`(_ text: String, _ seconds: Int64) {
    #expect(HTTPDate.parse(text, at: .noon) == Timestamp(rawValue: seconds * 1_000_000))
  }

  @Test(arguments: [
    "", " ", "Sun", "Sun,", "Sunday", "06 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
    "Sun, 06 Nov 1994 08:49:37 GMT ", " Sun, 06 Nov 1994 08:49:37 GMT",
    "Sun,  06 Nov 1994 08:49:37 GMT", "Son, 06 Nov 1994 08:49:37 GMT",
    "Sunday, 06 Nov 1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
    "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
    "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
    "Sun, 06 Nov 1994 08:49:37:00 GMT", "Sun, 06 November 1994 08:49:37 GMT",
    "Sun, +6 Nov 1994 08:49:37 GMT", "Sun Nov 6 08:49:37 1994", "Sun Nov  06 08:49:37 1994",
    "Sun Nov  6 08:49:37 1994 GMT", "784111777", "Sun, 06 Nov 0000 08:49:37 GMT",
  ])
  func `anything else is refused`(_ text: String) {
    #expect(HTTPDate.parse(text, at: .noon) == nil)
  }
}
