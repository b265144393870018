internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

struct TrustRecordTests {
  private static let text = "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

  private static func full() throws -> Trust {
    let key = try KeyHash(text)
    return Trust(
      authorities: .file("/etc/gate/ca.pem"), pins: [key],
      exceptions: [
        TrustException(
          host: "::1", port: 8443, key: key, defects: Set(CertificateDefect.allCases)),
        TrustException(host: "a.example", port: 443, key: key, defects: []),
      ], client: ClientCertificate(certificate: "/a/c.pem", key: "/a/k.pem"))
  }

  @Test
  func `a policy comes back from its record`() throws {
    let full = try Self.full()
    var part = full
    part.authorities = .system
    part.client = nil
    for trust in [full, part, .system, .authorities(file: "ca.pem")] {
      let record = try #require(Facts(decoding: trust.record.encoded))
      #expect(Trust(record: record) == trust)
    }
    #expect(Trust.system.record.isEmpty)
  }

  @Test
  func `the record's form is frozen`() throws {
    let trust = Trust(
      exceptions: [
        TrustException(
          host: "Gate.example", port: 8443, key: try KeyHash(Self.text),
          defects: [.wrongHost, .selfSigned])
      ])
    #expect(
      String(decoding: trust.record.encoded, as: UTF8.self)
        == #"{"exceptions":[{"defects":["wrongHost","selfSigned"],"host":"gate.example","#
        + #""key":"\#(Self.text)","port":8443}]}"#)
    #expect(
      CertificateDefect.allCases.map(\.rawValue) == [
        "expired", "notYetValid", "wrongHost", "selfSigned", "unknownAuthority", "revoked",
        "badSignature", "other",
      ])
  }

  @Test(arguments: [
    #"{"more":1}"#, #"{"authorities":1}"#, #"{"pins":["sha256/AA=="]}"#, #"{"pins":[]}"#,
    #"{"client":{"certificate":"a"}}"#, #"{"exceptions":[1]}"#,
    #"{"exceptions":[{"defects":["later"],"host":"a","key":"\#(text)","port":1}]}"#,
    #"{"exceptions":[{"defects":[],"host":"a","key":"\#(text)"}]}"#,
  ])
  func `what a policy cannot hold is no record of one`(_ text: String) throws {
    let record = try #require(Facts(decoding: Array(text.utf8)))
    #expect(Trust(record: record) == nil)
  }
}
