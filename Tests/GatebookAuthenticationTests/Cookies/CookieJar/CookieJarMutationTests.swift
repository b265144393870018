internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

@Suite struct CookieJarMutationTests {
  private static let samples = [
    "a=b", "id=1; Path=/a; Domain=.example.com; Secure; HttpOnly; SameSite=Lax",
    "a=\"b c\"; Max-Age=3600; Expires=Wed, 09 Jun 2027 10:18:14 GMT",
    "__Host-a=b; Secure; Path=/", "c=d; Expires=Sun Nov  6 08:49:37 2094; Max-Age=-1",
    "e=f; Max-Age=9223372036854775807",
  ]

  @Test(arguments: Mutations.seeds)
  func `a damaged field leaves a jar that can be kept and sent`(_ seed: UInt64) throws {
    var jar = CookieJar()
    for bytes in Mutations(of: Self.samples, marks: ";=,:-.\"", seed: seed) {
      let text = String(decoding: bytes, as: UTF8.self)
      try jar.take(text)
      var single = CookieJar()
      try single.take(text)
      let sent = try single.sent() ?? ""
      #expect(sent.utf8.allSatisfy { $0 == 9 || ($0 >= 0x20 && $0 != 0x7F) }, "\(text)")
    }
    let read = try #require(Facts(decoding: jar.record.encoded))
    #expect(CookieJar(record: read) == jar)
    #expect(try #require(jar.described(at: .noon).list).count <= 180)
  }

  @Test(arguments: Mutations.seeds)
  func `a damaged date is a moment or none`(_ seed: UInt64) throws {
    let dates = [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ]
    let first = Timestamp(rawValue: -62_135_596_800_000_000)
    for bytes in Mutations(of: dates, marks: " :,-0123456789", seed: seed) {
      let text = String(decoding: bytes, as: UTF8.self)
      var jar = CookieJar()
      try jar.take("a=b; Expires=\(text)", at: Timestamp(rawValue: .min))
      for now in [Timestamp.noon, Timestamp(rawValue: .max), Timestamp(rawValue: .min)] {
        guard let date = HTTPDate.parse(text, at: now) else { continue }
        #expect(date >= first, "\(text)")
      }
    }
  }
}
