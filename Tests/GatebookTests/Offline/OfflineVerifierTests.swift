import Testing

@testable import Gatebook

@Suite struct OfflineVerifierTests {
  private static let salt = [UInt8](0..<16)

  @Test func `it takes the password byte for byte, also after its record was read back`()
    async throws
  {
    let verifier = try #require(
      await OfflineVerifier.make(of: Secret("pass\u{E9}word"), salt: Self.salt))
    let read = try #require(OfflineVerifier(verifier.encoded))
    #expect(read == verifier)
    #expect(await read.accepts(Secret("pass\u{E9}word")) == true)
    // The same text by other code points is another password for the server too.
    #expect(await read.accepts(Secret("passe\u{301}word")) == false)
    #expect(await read.accepts(Secret("")) == false)
  }

  @Test func `its costs are those that OWASP names first`() async throws {
    let verifier = try #require(await OfflineVerifier.make(of: Secret("x"), salt: Self.salt))
    let facts = try #require(Facts(decoding: verifier.encoded))
    #expect(facts["cost"]?.integer == 1 << 17)
    #expect(facts["blockSize"]?.integer == 8)
    #expect(facts["parallelism"]?.integer == 1)
    #expect(facts["salt"] == .text(Hex.encode(Self.salt)))
  }

  @Test(arguments: [
    ("cost", FactValue.integer(1 << 40)), ("cost", 1), ("blockSize", 0), ("parallelism", 1000),
    ("hash", "00"), ("salt", "00"), ("hash", "no hexadecimal digits"), ("cost", "many"),
  ])
  func `a damaged record is none`(_ name: String, _ value: FactValue) async throws {
    let verifier = try #require(await OfflineVerifier.make(of: Secret("x"), salt: Self.salt))
    var facts = try #require(Facts(decoding: verifier.encoded))
    facts[name] = value
    #expect(OfflineVerifier(facts.encoded) == nil)
  }
}
