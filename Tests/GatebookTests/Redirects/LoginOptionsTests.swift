import Gatebook
import Testing

/// What a waiting login keeps of its options.
@Suite struct LoginOptionsTests {
  @Test func `how long a redirect is awaited outlives a restart`() throws {
    var options = LoginOptions()
    options.redirectLimit = .seconds(90)
    let record = try #require(Facts(decoding: options.record.encoded))
    #expect(LoginOptions(record: record)?.redirectLimit == .seconds(90))
  }

  @Test func `options that were kept without that limit are read with the usual one`() throws {
    var record = LoginOptions().record
    record["redirectLimitUs"] = nil
    #expect(LoginOptions(record: record)?.redirectLimit == .seconds(600))
  }

  @Test func `whose login it must be outlives a restart`() throws {
    var options = LoginOptions()
    #expect(LoginOptions(record: options.record)?.account == nil)
    options.account = AccountID(high: 1, low: 2)
    let record = try #require(Facts(decoding: options.record.encoded))
    #expect(LoginOptions(record: record)?.account == options.account)
  }

  @Test func `notes, and whether former trust goes, outlive a restart`() throws {
    var options = LoginOptions()
    #expect(LoginOptions(record: options.record) == options)
    options.notes = ["client-secret-file": "/etc/app.secret", "redirect": ""]
    options.keepsTrust = false
    let record = try #require(Facts(decoding: options.record.encoded))
    #expect(LoginOptions(record: record) == options)
  }
}
