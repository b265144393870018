import GatebookEvents
import GatebookTestSupport
import Testing

@Suite struct FactScannerTests {
  private static let facts: Facts = [
    "": 0, "a": .list([.object(["boot": 1, "x": .list(["]", "}", ","])]), "\""]),
    "boot": 12_000_000, "code": "server.unavailable", "escaped": "a\"b", "false": false,
    "max": .integer(.max), "min": .integer(.min), "minus": -7, "null": .null,
    "object": .object(["code": "inner", "true": false]), "server": "https://ä.example:8443",
    "text": "", "true": true, "zero": 0,
  ]

  private func scan<Value>(_ bytes: [UInt8], _ body: (FactScanner) -> Value) -> Value {
    bytes.withUnsafeBytes { body(FactScanner($0)) }
  }

  private func scan<Value>(_ body: (FactScanner) -> Value) -> Value {
    scan(Self.facts.encoded, body)
  }

  private static let names: [StaticString] = [
    "", "a", "boot", "code", "escaped", "false", "max", "min", "minus", "null", "object",
    "server", "text", "true", "zero", "absent", "boo", "boots", "x",
  ]

  @Test func `integers are those of the decoded facts`() {
    for name in Self.names {
      #expect(scan { $0.integer(name) } == Self.facts["\(name)"]?.integer, "\(name)")
    }
  }

  @Test func `truth values are those of the decoded facts`() {
    for name in Self.names {
      #expect(scan { $0.bool(name) } == Self.facts["\(name)"]?.bool, "\(name)")
    }
  }

  @Test func `texts are those of the decoded facts`() {
    for name in Self.names {
      #expect(scan { $0.text(name) } == Self.facts["\(name)"]?.text, "\(name)")
    }
  }

  @Test func `no cut of canonical bytes traps or finds what is not there`() {
    let bytes = Self.facts.encoded
    for count in 0..<bytes.count {
      scan(Array(bytes.prefix(count))) { scanner in
        for name in Self.names {
          if let found = scanner.bool(name) { #expect(Self.facts["\(name)"] == .bool(found)) }
          if case .text(let whole) = Self.facts["\(name)"], let found = scanner.text(name) {
            #expect(
              whole.utf8.starts(with: found.utf8) || found.unicodeScalars.contains("\u{FFFD}"))
          }
          _ = scanner.integer(name)
        }
      }
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `it agrees with the decoder on random facts`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    for _ in 0..<50 {
      var facts = Facts.random(&random)
      facts["generation"] = .integer(Int64.random(in: .min ... .max, using: &random))
      if Bool.random(using: &random) { facts["labelled"] = .bool(Bool.random(using: &random)) }
      if Bool.random(using: &random) { facts["method"] = "http" }
      let bytes = facts.encoded
      #expect(scan(bytes) { $0.integer("generation") } == facts["generation"]?.integer)
      #expect(scan(bytes) { $0.bool("labelled") } == facts["labelled"]?.bool, "seed \(seed)")
      #expect(scan(bytes) { $0.text("method") } == facts["method"]?.text, "seed \(seed)")
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `changed bytes never trap it`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    for _ in 0..<100 {
      var bytes = Self.facts.encoded
      for _ in 0..<3 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      scan(bytes) { scanner in
        for name in Self.names {
          _ = (scanner.integer(name), scanner.bool(name), scanner.text(name))
        }
      }
    }
  }
}
