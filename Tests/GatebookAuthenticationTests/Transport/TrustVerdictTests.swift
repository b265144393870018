internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

struct TrustVerdictTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let trust: Trust
    let certificate: ServerCertificate
    let verdict: TrustVerdict

    var testDescription: String { name }

    init(
      _ name: String, pins: [KeyHash] = [], accepts exceptions: [TrustException] = [],
      _ certificate: ServerCertificate, _ verdict: TrustVerdict
    ) {
      self.name = name
      trust = Trust(pins: pins, exceptions: exceptions)
      self.certificate = certificate
      self.verdict = verdict
    }
  }

  private static func key(_ byte: UInt8) -> KeyHash {
    KeyHash(bytes: [UInt8](repeating: byte, count: 32)) ?? KeyHash(of: [])
  }

  private static let (a, b) = (key(1), key(2))

  private static func accepts(
    _ key: KeyHash, _ defects: Set<CertificateDefect>, host: String = "gate.example",
    port: Int = 8443
  ) -> TrustException {
    TrustException(host: host, port: port, key: key, defects: defects)
  }

  private static func shows(
    _ key: KeyHash, _ defects: Set<CertificateDefect> = []
  ) -> ServerCertificate {
    ServerCertificate(host: "gate.example", port: 8443, key: key, defects: defects)
  }

  private static let own = accepts(a, [.selfSigned])

  static let cases = [
    Case("nothing wrong", shows(a), .trusted),
    Case("a defect", shows(a, [.selfSigned]), .untrusted),
    Case("the accepted key and defect", accepts: [own], shows(a, [.selfSigned]), .trusted),
    Case("the accepted key without the defect", accepts: [own], shows(a), .trusted),
    Case("one more defect", accepts: [own], shows(a, [.selfSigned, .wrongHost]), .untrusted),
    Case("another defect", accepts: [own], shows(a, [.expired]), .untrusted),
    Case("another key with the defect", accepts: [own], shows(b, [.selfSigned]), .keyChanged),
    Case("another key without a defect", accepts: [own], shows(b), .keyChanged),
    Case(
      "both of two accepted keys", accepts: [own, accepts(b, [.expired])], shows(b, [.expired]),
      .trusted),
    Case(
      "defects of two keys are not mixed", accepts: [own, accepts(b, [.expired])],
      shows(a, [.expired]),
      .untrusted),
    Case(
      "two exceptions are not added up", accepts: [own, accepts(a, [.expired])],
      shows(a, [.selfSigned, .expired]), .untrusted),
    Case(
      "an exception for another host", accepts: [accepts(a, [.selfSigned], host: "b.example")],
      shows(a, [.selfSigned]), .untrusted),
    Case(
      "an exception for another port", accepts: [accepts(a, [.selfSigned], port: 443)],
      shows(a, [.selfSigned]), .untrusted),
    Case(
      "another host's exception says nothing of this one's key",
      accepts: [accepts(b, [.selfSigned], host: "b.example")], shows(a), .trusted),
    Case(
      "a host in other case", accepts: [accepts(a, [.selfSigned], host: "GATE.example")],
      shows(a, [.selfSigned]), .trusted),
    Case("a pinned key", pins: [b, a], shows(a), .trusted),
    Case("a key that is not pinned", pins: [b], shows(a), .keyChanged),
    Case("a pin excuses no defect", pins: [a], shows(a, [.wrongHost]), .untrusted),
    Case("a changed key goes before defects", pins: [b], shows(a, [.wrongHost]), .keyChanged),
    Case("pin and exception", pins: [a], accepts: [own], shows(a, [.selfSigned]), .trusted),
    Case(
      "an exception excuses no pin", pins: [b], accepts: [own], shows(a, [.selfSigned]), .keyChanged
    ),
  ]

  @Test(arguments: cases)
  func `the verdict follows from key, defects and policy`(_ sample: Case) {
    #expect(sample.trust.verdict(on: sample.certificate) == sample.verdict)
  }

  @Test
  func `accepting what a server showed opens exactly that`() {
    let shown = Self.shows(Self.a, [.selfSigned, .expired])
    let trust = Trust(exceptions: [TrustException(accepting: shown)])
    #expect(trust.verdict(on: shown) == .trusted)
    #expect(trust.verdict(on: shown.adding(.wrongHost)) == .untrusted)
  }
}
