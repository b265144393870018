internal import GatebookEvents
internal import Testing

@testable internal import GatebookAuthentication

/// The server's clock, learnt from `Date`.
struct OAuth1ClockTests {
  // Tue, 14 Nov 2023 22:13:20 GMT.
  private let now = Timestamp(rawValue: 1_700_000_000_000_000)

  private func reply(_ status: Int, date: String?, body: String = "") -> HTTPReply {
    HTTPReply(
      status: status, fields: date.map { [HTTPField("Date", $0)] } ?? [], body: Array(body.utf8))
  }

  @Test(
    arguments: [
      ("Tue, 14 Nov 2023 22:13:20 GMT", 0), ("Tue, 14 Nov 2023 22:23:20 GMT", 600),
      ("Tue, 14 Nov 2023 21:13:19 GMT", -3601), ("yesterday", nil), (nil, nil),
    ] as [(String?, Int64?)])
  func `the offset is what Date is ahead`(_ date: String?, _ offset: Int64?) {
    let clock = OAuth1Clock(offset: 7).corrected(by: reply(400, date: date), at: now)
    #expect(clock?.offset == offset)
    #expect(clock.map { $0.seconds(at: now) } == offset.map { 1_700_000_000 + $0 })
  }

  @Test(
    arguments: [
      (400, "", 600, true), (400, "", 30, true), (400, "", 29, false), (400, "", -30, true),
      (401, "", 600, false), (403, "", 600, false), (200, "", 600, false),
      (401, "oauth_problem=timestamp_refused", 1, true),
      (400, "oauth_problem=timestamp_refused", 600, true),
      (400, "oauth_problem=timestamp_refused", 0, false),
      (400, "oauth_problem=nonce_used", 600, false),
    ] as [(Int, String, Int64, Bool)])
  func `only a refused timestamp is signed again`(
    _ status: Int, _ body: String, _ ahead: Int64, _ isRefusal: Bool
  ) {
    // The server's clock is stopped; this machine's clock is slow by this much.
    let here = now - .seconds(ahead)
    let refusal = reply(status, date: "Tue, 14 Nov 2023 22:13:20 GMT", body: body)
    let clock = OAuth1Clock().afterRefusal(refusal, at: here)
    #expect(clock == (isRefusal ? OAuth1Clock(offset: ahead) : nil))
    // With the right clock the same refusal means something else.
    #expect(OAuth1Clock(offset: ahead).afterRefusal(refusal, at: here) == nil)
  }

  @Test
  func `without a Date nothing is learnt`() {
    let refusal = reply(400, date: nil, body: "oauth_problem=timestamp_refused")
    #expect(OAuth1Clock().afterRefusal(refusal, at: now) == nil)
  }

  @Test(
    arguments: [
      (Int64.min, 0), (.max, 0), (0, .max), (.max, .max), (.min, .min), (-1, 0), (0, -5),
    ] as [(Int64, Int64)])
  func `a timestamp is always positive`(_ wall: Int64, _ offset: Int64) {
    #expect(OAuth1Clock(offset: offset).seconds(at: Timestamp(rawValue: wall)) > 0)
  }

  @Test(arguments: [0, 600, -600, .max, .min] as [Int64])
  func `a timestamp leads back to this machine's time`(_ offset: Int64) {
    let clock = OAuth1Clock(offset: offset)
    let local = clock.local(1_700_000_000)
    if offset.magnitude < 1000 { #expect(clock.seconds(at: local) == 1_700_000_000) }
  }
}
