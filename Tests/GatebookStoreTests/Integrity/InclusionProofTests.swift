import GatebookCrypto
import GatebookEvents
import Testing

@testable import GatebookStore

@Suite struct InclusionProofTests {
  @Test func `every event is proven for every size of a growing book`() async throws {
    let book = try TestBook()
    let store = try await book.open()
    var notes: [String] = []
    for _ in 0..<34 {
      _ = try await store.append(.note())
      notes.append(try book.reader().checkpoint())
    }
    await store.close()
    let reader = try book.sealedReader()
    for (index, note) in notes.enumerated() {
      let size = Int64(index + 2)
      for position in 1...size {
        let text = try reader.proof(of: Position(rawValue: position), against: note)
        let proof = try InclusionProof(text: text, against: notes.last)
        #expect(proof.size == size)
        #expect(proof.book == reader.id)
        #expect(proof.event == (try reader.event(at: Position(rawValue: position))))
      }
      #expect(throws: GatebookError.self) {
        try reader.proof(of: Position(rawValue: size + 1), against: note)
      }
    }
  }

  @Test(arguments: [1, 7, 8, 255, 256, 257, 300, 511, 512, 513, 520])
  func `a path takes whole subtrees as they are stored`(_ position: Int64) async throws {
    let book = try await TestBook.written(events: 513)
    let reader = try book.reader()
    #expect(try reader.head().size == 520)
    let text = try reader.proof(of: Position(rawValue: position))
    let proof = try InclusionProof(text: text)
    #expect(proof.event.position.rawValue == position)
    #expect(proof.root == (try reader.head().root))
    let created = try #require(try reader.event(at: Position(rawValue: 1)))
    #expect(created.data["checkpointKey"]?.text == proof.publicKey)
  }

  @Test func `no byte of a proof may change`() async throws {
    let book = try await TestBook.written(events: 5)
    let proof = Array(try book.reader().proof(of: Position(rawValue: 3)).utf8)
    for index in 0..<proof.count - 1 {
      for byte in [proof[index] ^ 1, proof[index] ^ 2, UInt8(ascii: "\n")]
      where byte != proof[index] {
        var changed = proof
        changed[index] = byte
        guard let text = String(validating: changed, as: UTF8.self) else { continue }
        #expect(throws: GatebookError.self, "byte \(index)") { try InclusionProof(text: text) }
      }
    }
    for count in 0..<proof.count - 1 {
      let text = String(decoding: proof.prefix(count), as: UTF8.self)
      #expect(throws: GatebookError.self) { try InclusionProof(text: text) }
    }
  }

  @Test func `a book that was changed proves nothing of what was changed`() async throws {
    let book = try await TestBook.written(events: 30)
    try book.tamper(#"UPDATE event SET data = '{"index":99}' WHERE position = 20"#)
    let reader = try book.reader()
    let error = #expect(throws: GatebookError.self) {
      try reader.proof(of: Position(rawValue: 20))
    }
    #expect(error?.code == .storageDamaged)
    _ = try InclusionProof(text: try reader.proof(of: Position(rawValue: 21)))
    try book.tamper("UPDATE event SET leaf = zeroblob(32) WHERE position = 22")
    #expect(throws: GatebookError.self) {
      try book.reader().proof(of: Position(rawValue: 21))
    }
  }

  @Test func `a checkpoint kept elsewhere shows another key, book or root`() async throws {
    let book = try await TestBook.written(events: 5)
    let other = try await TestBook.written(events: 5)
    let reader = try book.reader()
    let proof = try reader.proof(of: Position(rawValue: 3))
    _ = try InclusionProof(text: proof, against: try reader.checkpoint())
    for note in [try other.reader().checkpoint(), "", "gatebook/\(reader.id)\n1\nx\n\n"] {
      #expect(throws: GatebookError.self) { try InclusionProof(text: proof, against: note) }
      #expect(throws: GatebookError.self) {
        try reader.proof(of: Position(rawValue: 3), against: note)
      }
    }
  }

  @Test func `a proof without the key needs a checkpoint`() async throws {
    let book = try await TestBook.written(events: 5)
    let error = #expect(throws: GatebookError.self) {
      try book.sealedReader().proof(of: Position(rawValue: 3))
    }
    #expect(error?.code == .keyMissing)
    let note = try book.reader().checkpoint()
    let text = try book.sealedReader().proof(of: Position(rawValue: 3), against: note)
    #expect(try InclusionProof(text: text).checkpoint == note)
    #expect(!text.contains("ada"))
  }
}
