import GatebookEvents
import Testing

@Suite struct CanonicalEventTests {
  private static let installation = "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"
  private static let writer =
    "0004" + "6d61696c" + "0003" + "322e31" + installation  // mail, 2.1

  private func program() throws -> Program {
    Program(
      name: "mail", version: "2.1",
      installation: try #require(InstallationID(Self.installation)))
  }

  @Test
  func `an event without account, session, cause and encrypted facts is written as specified`()
    throws
  {
    let data = """
      {"checkpointKey":"d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",\
      "keySource":"file","schema":1}
      """
    let expected = [
      "01", "0000000000000001", "019b76da80007000800000000000000a", "00", "0000000000000001", "00",
      "000c" + Hex.encode(Array("book.created".utf8)), "0001", "0006474846204000", "00",
      Self.writer, "0000000000001092", "00000072" + Hex.encode(Array(data.utf8)), "00",
    ].joined()
    var canonical = CanonicalEvent()
    canonical.write(
      CanonicalEvent.Envelope(
        position: 1, id: try #require(EventID("019b76da80007000800000000000000a")), account: nil,
        revision: 1, session: nil, version: 1, at: 1_767_225_600_000_000, cause: nil,
        process: 4242),
      kind: CanonicalEvent.describe(kind: "book.created"),
      writer: CanonicalEvent.describe(try program()), data: Array(data.utf8), sealed: nil)
    #expect(Hex.encode(canonical.bytes) == expected)
  }

  @Test func `an event with all parts is written as specified, over the one before`() throws {
    let data = #"{"keys":["emailAddress","näme"]}"#
    let sealed =
      "01" + "000102030405060708090a0b" + "c0ffee" + String(repeating: "f0", count: 16)
    let expected = [
      "01", "0000000000000007", "019b76da80017000800000000000000b",
      "01" + "000102030405060708090a0b0c0d0e0f", "0000000000000003",
      "01" + "101112131415161718191a1b1c1d1e1f",
      "0012" + Hex.encode(Array("attributes.changed".utf8)), "0001", "00064748462043e8",
      "01" + "0000000000000006", Self.writer, "0000000000001092",
      "00000021" + Hex.encode(Array(data.utf8)), "01" + "00000020" + sealed,
    ].joined()
    var canonical = CanonicalEvent()
    let envelope = CanonicalEvent.Envelope(
      position: 7, id: try #require(EventID("019b76da80017000800000000000000b")),
      account: AccountID("000102030405060708090a0b0c0d0e0f"), revision: 3,
      session: SessionID("101112131415161718191a1b1c1d1e1f"), version: 1,
      at: 1_767_225_600_001_000, cause: 6, process: 4242)
    for _ in 0..<2 {
      canonical.write(
        envelope, kind: CanonicalEvent.describe(kind: "attributes.changed"),
        writer: CanonicalEvent.describe(try program()), data: Array(data.utf8),
        sealed: Hex.decode(sealed))
    }
    #expect(Hex.encode(canonical.bytes) == expected)
  }

  @Test func `empty encrypted bytes are not the same as none`() throws {
    let envelope = CanonicalEvent.Envelope(
      position: -1, id: EventID(high: 0, low: 0), account: nil, revision: .min, session: nil,
      version: 0xABCD, at: -1, cause: nil, process: .max)
    var with = CanonicalEvent()
    with.write(envelope, kind: [], writer: [], data: [], sealed: [])
    var without = CanonicalEvent()
    without.write(envelope, kind: [], writer: [], data: [], sealed: nil)
    #expect(with.bytes == without.bytes.dropLast() + [1, 0, 0, 0, 0])
    #expect(Hex.encode(without.bytes).contains("abcdffffffffffffffff007fffffffffffffff"))
  }
}

extension CanonicalEvent {
  /// Writes one event over the last one.
  fileprivate mutating func write(
    _ envelope: Envelope, kind: [UInt8], writer: [UInt8], data: [UInt8], sealed: [UInt8]?
  ) {
    data.withUnsafeBytes { data in
      if let sealed {
        sealed.withUnsafeBytes {
          write(envelope, kind: kind, writer: writer, data: data, sealed: $0)
        }
      } else {
        write(envelope, kind: kind, writer: writer, data: data, sealed: nil)
      }
    }
  }
}
