import GatebookCrypto
import GatebookEvents
import Testing

@testable import GatebookStore

@Suite struct LeafTests {
  private static let first = """
    010000000000000001019b76da80007000800000000000000a00000000000000000100000c626f6f6b2e637265617465\
    64000100064748462040000000046d61696c0003322e31a0a1a2a3a4a5a6a7a8a9aaabacadaeaf000000000000109200\
    0000727b22636865636b706f696e744b6579223a22643735613938303138326231306162376435346266656433633936\
    34303733613065653137326633646161363233323561663032316136386637303735313161222c226b6579536f757263\
    65223a2266696c65222c22736368656d61223a317d00
    """
  private static let second = """
    010000000000000007019b76da80017000800000000000000b01000102030405060708090a0b0c0d0e0f000000000000\
    000301101112131415161718191a1b1c1d1e1f0012617474726962757465732e6368616e676564000100064748462043\
    e801000000000000000600046d61696c0003322e31a0a1a2a3a4a5a6a7a8a9aaabacadaeaf0000000000001092000000\
    217b226b657973223a5b22656d61696c41646472657373222c226ec3a46d65225d7d0100000020010001020304050607\
    08090a0bc0ffeef0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0
    """

  @Test func `the vectors of the event format hold`() throws {
    let hash = SHA256()
    let leaves = try [Self.first, Self.second].map { hash.leaf(try #require(Hex.decode($0))) }
    #expect(
      leaves.map { Hex.encode($0.bytes) } == [
        "3785a5b3a48ccf01bceb023cd0e36de46dc1e293d52c1d6488ce08494cccb799",
        "795dc0bb68863cfb42119f073d7cb002129a23cc12a10f39291bd176d2a5bf00",
      ])
    var frontier = Frontier()
    for leaf in leaves { frontier.append(leaf, hash) { _ in } }
    #expect(
      Hex.encode(frontier.root(hash).bytes)
        == "8fcc296f263fa48b41787423a08b3987bbd44029725fb596ec8f3a678c2699a0")
  }

  @Test func `stored leaves are those of the canonical bytes, built by hand`() async throws {
    let book = try await TestBook.written(events: 6)
    let connection = try ReaderConnection.open(BookFile(path: book.path))
    let hash = SHA256()
    for event in try book.sealedReader().events(EventFilter()) {
      let statement = try connection.statement(
        "SELECT leaf, data, sealed FROM event WHERE position = \(event.position)")
      #expect(try statement.step())
      let sealed = statement.isNull(2) ? nil : statement.bytes(2)
      #expect((sealed == nil) == (event.personal == nil))
      let canonical = Self.canonical(event, data: statement.bytes(1), sealed: sealed)
      #expect(Hex.encode(statement.bytes(0)) == Hex.encode(hash.hash([0] + canonical)))
    }
  }

  private static func canonical(
    _ event: RecordedEvent, data: [UInt8], sealed: [UInt8]?
  ) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    func text(_ text: String) -> [UInt8] { number(text.utf8.count, 2) + Array(text.utf8) }
    var bytes: [UInt8] = [1] + number(Int(event.position.rawValue), 8) + event.id.bytes
    bytes += event.account.map { [1] + $0.bytes } ?? [0]
    bytes += number(Int(event.revision), 8)
    bytes += event.session.map { [1] + $0.bytes } ?? [0]
    bytes += text(event.kind) + number(event.version, 2) + number(Int(event.at.rawValue), 8)
    bytes += event.cause.map { [1] + number(Int($0.rawValue), 8) } ?? [0]
    bytes += text(event.writer.program.name) + text(event.writer.program.version)
    bytes += event.writer.program.installation.bytes + number(Int(event.writer.process), 8)
    bytes += number(data.count, 4) + data
    return bytes + (sealed.map { [1] + number($0.count, 4) + $0 } ?? [0])
  }
}
