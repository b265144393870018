import GatebookCrypto
import GatebookEvents
import Testing

@testable import GatebookStore

@Suite struct CanaryTests {
  private static let secret = "CaNaRy-s3cret/+?=&\u{E4}-value"
  private static let person = "CaNaRy-Per\u{F6}n@example.org +name"

  /// What each canary looks like in the forms in which it could leak.
  private static var traces: [String: [UInt8]] {
    var traces: [String: [UInt8]] = [:]
    for (name, text) in [("secret", secret), ("person", person)] {
      let bytes = Array(text.utf8)
      traces["\(name) in UTF-8"] = bytes
      traces["\(name) in hex"] = Array(Hex.encode(bytes).utf8)
      traces["\(name) in upper-case hex"] = Array(Hex.encode(bytes).uppercased().utf8)
      // At the two other offsets in a group of three, base64 shows other characters.
      for shift in 0..<3 {
        let encoded = Base64.encode([UInt8](repeating: 0x78, count: shift) + bytes)
        traces["\(name) in base64, shifted \(shift)"] = Array(encoded.utf8.dropFirst(4).dropLast(4))
      }
      let percent = bytes.map { byte in
        let isPlain = byte < 128 && (Character(Unicode.Scalar(byte)).isLetter || byte == 0x2D)
        return isPlain ? [byte] : Array("%\(Hex.encode([byte]).uppercased())".utf8)
      }
      traces["\(name) percent-encoded"] = Array(percent.joined())
      traces["\(name) in UTF-16"] = text.utf16.flatMap {
        [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
      }
    }
    return traces
  }

  private static func expectNoTrace(
    in bytes: [UInt8], _ place: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for (name, trace) in traces {
      #expect(!bytes.holds(trace), "\(name) in \(place)", sourceLocation: sourceLocation)
    }
  }

  private static func story() -> Append {
    let facts: Facts = [
      "user": .text(person), "userID": .text(person), "tenant": "",
    ]
    var append = Append([
      ProposedEvent(
        .accountAdded, account: TestBook.ada, data: ["method": "http"], personal: facts),
      ProposedEvent(
        .loginSucceeded, account: TestBook.ada, session: TestBook.session,
        data: ["generation": 1], personal: facts),
      ProposedEvent(
        .attributesChanged, account: TestBook.ada, session: TestBook.session,
        data: ["keys": .list(["emailAddress"])],
        personal: ["attributes": .object(["emailAddress": .text(person)])]),
      ProposedEvent(.loginFailed, data: ["code": "x"], personal: ["message": .text(person)]),
    ])
    append.newAccounts = [.init(id: TestBook.ada, lookups: [])]
    append.vault = [
      .set(TestBook.ada, purpose: "session", generation: 1, content: Array(secret.utf8))
    ]
    return append
  }

  @Test func `no file of a book shows a secret or a person`() async throws {
    let book = try TestBook()
    let store = try await book.open()
    let reader = try store.makeReader()
    var append = Self.story()
    append.newAccounts[0].lookups = [try reader.lookupHash(["name", Self.person])]
    append.events[3].data["name"] = .text(try reader.nameFingerprint(["name", Self.person]))
    _ = try await store.append(append)
    #expect(try book.reader().accounts()[0].loginName == .known(Self.person))
    #expect(
      try book.reader().secret(of: TestBook.ada, purpose: "session") == Array(Self.secret.utf8))
    #expect(book.folder.names == ["test.book", "test.book-lock", "test.book-shm", "test.book-wal"])
    for name in book.folder.names {
      Self.expectNoTrace(in: try FileBytes.read(book.folder.file(name)), name)
    }
    await store.close()
    for name in book.folder.names {
      Self.expectNoTrace(in: try FileBytes.read(book.folder.file(name)), "closed \(name)")
    }
  }

  @Test func `the search finds what is there`() {
    for (name, trace) in Self.traces {
      #expect(([1, 2, 3] + trace + [4]).holds(trace), "\(name)")
      #expect(!([1, 2, 3] + trace.dropLast() + [4]).holds(trace), "\(name)")
      #expect(trace.count > 8)
    }
  }

  @Test func `no failure shows a secret or a person`() async throws {
    let book = try TestBook()
    let store = try await book.open()
    _ = try await store.append(Self.story())
    var errors: [GatebookError?] = []
    var reused = Self.story()
    reused.events[0].id = EventID(high: 1, low: 1)
    reused.newAccounts = []
    _ = try await store.append(reused)
    reused.events[0].personal = ["user": .text(Self.person + Self.secret)]
    errors.append(
      await expect(.storageIDReused) { () throws(GatebookError) in
        _ = try await store.append(reused)
      })
    errors.append(
      await expect(.preconditionFailed) { () throws(GatebookError) in
        _ = try await store.append(Self.story())
      })
    await store.close()
    try book.tamper("UPDATE vault SET sealed = zeroblob(60)", "UPDATE event SET sealed = x'01'")
    errors.append(
      await expect(.storageDamaged) { () throws(GatebookError) in
        _ = try book.reader().secret(of: TestBook.ada, purpose: "session")
      })
    let events = try book.reader().events(EventFilter()).filter { $0.personal != nil }
    #expect(!events.isEmpty)
    #expect(events.allSatisfy { $0.personal == .lost })
    for error in errors {
      Self.expectNoTrace(in: Array(try #require(error).description.utf8), "an error")
    }
    let verdict = try await book.verify()
    #expect(!verdict.ok)
    Self.expectNoTrace(in: Array(verdict.problems.joined().utf8), "a verdict")
  }
}
