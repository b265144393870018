import GatebookCrypto
import GatebookEvents
import Glibc
import Testing

@testable import GatebookStore

@Suite struct CheckpointTests {
  @Test func `a note has the lines of the format`() async throws {
    let book = try await TestBook.written(events: 2)
    let reader = try book.reader()
    let note = try reader.checkpoint()
    let lines = note.split(separator: "\n", omittingEmptySubsequences: false)
    let head = try reader.head()
    #expect(lines.count == 6)
    #expect(lines[0] == "gatebook/\(reader.id)")
    #expect(lines[1] == "9")
    #expect(Base64.decode(lines[2]).map { Hex.encode($0) } == head.root)
    #expect(lines[3].isEmpty)
    #expect(lines[4].hasPrefix("— gatebook/\(reader.id) "))
    #expect(lines[5].isEmpty)
  }

  @Test func `nothing is signed for a book that names another's key`() async throws {
    let book = try await TestBook.written(events: 2)
    try book.tamper("UPDATE book SET checkpoint_key = zeroblob(32)", keepingTriggers: true)
    let reader = try book.reader()
    await expect(.storageDamaged) { () throws(GatebookError) in _ = try reader.checkpoint() }
    await expect(.storageDamaged) { () throws(GatebookError) in
      _ = try reader.proof(of: Position(rawValue: 2))
    }
  }

  @Test func `another program's Ed25519 accepts the signature`() async throws {
    let book = try await TestBook.written(events: 2)
    let reader = try book.reader()
    let note = try reader.checkpoint()
    let lines = note.split(separator: "\n", omittingEmptySubsequences: false)
    let created = try #require(try reader.event(at: Position(rawValue: 1)))
    let key = try #require(created.data["checkpointKey"]?.text.flatMap { Hex.decode($0) })
    let signature = try #require(
      lines[4].split(separator: " ").last.flatMap { Base64.decode($0) })
    // C2SP signed-note: key hash, then the signature.
    let identity = Array("gatebook/\(reader.id)\n".utf8) + [1] + key
    #expect(Array(signature.prefix(4)) == Array(SHA256().hash(identity).prefix(4)))
    // RFC 8410 section 4: the head of every Ed25519 SubjectPublicKeyInfo.
    let header = try #require(Hex.decode("302a300506032b6570032100"))
    let folder = book.folder
    try FileBytes.write(header + key, to: folder.file("key.der"))
    try FileBytes.write(Array(signature.dropFirst(4)), to: folder.file("signature"))
    let text = lines[..<3].map { $0 + "\n" }.joined()
    for (message, isGood) in [(text, true), (text + "\n", false)] {
      try FileBytes.write(Array(message.utf8), to: folder.file("message"))
      let openssl = try ChildProcess(
        "openssl",
        [
          "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", folder.file("key.der"),
          "-rawin", "-in", folder.file("message"), "-sigfile", folder.file("signature"),
        ])
      #expect((openssl.finish().status == 0) == isGood)
    }
  }

  @Test func `one signature of the book's key that fails refuses the note`() async throws {
    let book = try await TestBook.written(events: 2)
    let reader = try book.reader()
    let note = try reader.checkpoint()
    let lines = note.split(separator: "\n", omittingEmptySubsequences: false)
    let (text, good) = (lines[..<3].map { $0 + "\n" }.joined() + "\n", String(lines[4]) + "\n")
    let name = "— gatebook/\(reader.id) "
    var bytes = try #require(Base64.decode(lines[4].dropFirst(name.count)))
    bytes[40] ^= 1
    let bad = name + Base64.encode(bytes) + "\n"
    let other = "— example.org/witness \(Base64.encode([UInt8](repeating: 7, count: 68)))\n"
    for whole in [good, good + good, other + good, good + other] {
      let verdict = try await BookVerifier(path: book.path).verify(against: text + whole)
      #expect(verdict.ok)
    }
    let path = book.path
    for failing in [bad, bad + good, good + bad, other] {
      await expect(.storageDamaged) { () throws(GatebookError) in
        _ = try await BookVerifier(path: path).verify(against: text + failing)
      }
    }
    let junk = [good + "\n", good + "junk\n", "junk\n" + good, "", "\n" + good]
    for wrong in junk + [String(good.dropLast())] {
      await expect(.configurationInvalid) { () throws(GatebookError) in
        _ = try await BookVerifier(path: path).verify(against: text + wrong)
      }
    }
  }

  @Test func `16 signatures are looked at, and a note with more is refused`() async throws {
    let book = try await TestBook.written(events: 0)
    let (note, path) = (try book.reader().checkpoint(), book.path)
    let other = "— witness.example AAAAAAAA\n"
    let text = try #require(note.firstRange(of: "\n\n"))
    let (head, own) = (note[..<text.upperBound], note[text.upperBound...])
    for place in [0, 7, 15] {
      let others = [String](repeating: other, count: place).joined()
      let rest = [String](repeating: other, count: 15 - place).joined()
      #expect(try await book.verify(against: head + others + own + rest).ok)
      await expect(.configurationInvalid) { () throws(GatebookError) in
        _ = try await BookVerifier(path: path).verify(against: head + others + own + rest + other)
      }
    }
  }

  @Test(
    arguments: Array(1..<0x20).filter { $0 != 0x0A } + [0, 0x85, 0xA0, 0x1680, 0x2000, 0x200A]
      + [0x2028, 0x2029, 0x202F, 0x205F, 0x3000])
  func `a note contains no control character, a name no Unicode space`(
    _ value: UInt32
  ) async throws {
    let book = try await TestBook.written(events: 0)
    let (note, path) = (try book.reader().checkpoint(), book.path)
    let character = String(try #require(Unicode.Scalar(value)))
    var wrong = [note + "— wit\(character)ness AAAAAAAA\n", note + "— \(character) AAAAAAAA\n"]
    if value < 0x20 { wrong.append(try book.signed(extension: "an extension\(character)")) }
    for note in wrong {
      await expect(.configurationInvalid) { () throws(GatebookError) in
        _ = try await BookVerifier(path: path).verify(against: note)
      }
    }
    if value >= 0x20 {
      let note = try book.signed(extension: "an extension\(character)")
      #expect(try await book.verify(against: note).ok)
    }
  }

  @Test(arguments: ["+\u{301}", " \u{301}", "x y", "x+y", ""])
  func `no plus and no space hides in a name`(_ name: String) async throws {
    let book = try await TestBook.written(events: 0)
    let (note, path) = (try book.reader().checkpoint(), book.path)
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await BookVerifier(path: path).verify(against: note + "— \(name) AAAAAAAA\n")
    }
  }

  @Test func `no bit of a note may change`() async throws {
    let book = try await TestBook.written(events: 0)
    let reader = try book.reader()
    let note = Array(try reader.checkpoint().utf8)
    for index in note.indices {
      for bit in 0..<8 {
        var changed = note
        changed[index] ^= 1 << UInt8(bit)
        let text = String(decoding: changed, as: UTF8.self)
        let error = #expect(throws: GatebookError.self, "\(index)") {
          try Checkpoint(note: text, of: reader.id, signedBy: reader.row.checkpointKey)
        }
        #expect([.configurationInvalid, .storageDamaged].contains(error?.code), "\(index)")
      }
    }
    #expect(
      try Checkpoint(
        note: String(decoding: note, as: UTF8.self), of: reader.id,
        signedBy: reader.row.checkpointKey
      ).size == 7)
  }

  @Test(
    arguments: [
      "", "\n", "\n\n", "\n\n\n", "a\n\n", "gatebook/x\n1\n\n— a b\n", "no note at all",
      // A checkpoint of some other log.
      "sum.golang.org\n1\n/BYK49PMc1Q9XCBQ5Y5JXhuwq8J07FWNC0bVKtcG2SA=\n\n— sum.golang.org AAAA\n",
    ])
  func `what is no note is refused`(note: String) async throws {
    let book = try await TestBook.written(events: 0)
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await book.verify(against: note)
    }
  }

  @Test func `a note of another book is refused`() async throws {
    let book = try await TestBook.written(events: 0)
    let other = try await TestBook.written(events: 0)
    let note = try other.reader().checkpoint()
    await expect(.storageDamaged) { () throws(GatebookError) in
      _ = try await book.verify(against: note)
    }
    // Not even under this book's name.
    let renamed = note.split(
      separator: try "\(other.reader().id)", omittingEmptySubsequences: false
    )
    .joined(separator: try "\(book.reader().id)")
    await expect(.storageDamaged) { () throws(GatebookError) in
      _ = try await book.verify(against: renamed)
    }
  }

  @Test func `a note with a signature of somebody else beside ours is taken`() async throws {
    let book = try await TestBook.written(events: 0)
    let note = try book.reader().checkpoint() + "— witness.example AAAAAAAA\n"
    #expect(try await book.verify(against: note).ok)
  }
}

extension TestBook {
  /// The checkpoint of the book as it is now with one more line, signed by its key.
  fileprivate func signed(extension line: String) throws -> String {
    let reader = try reader()
    let note = try reader.checkpoint()
    let key = try #require(reader.sealer).keys.signing
    let end = try #require(note.firstRange(of: "\n\n"))
    let text = "\(note[..<end.lowerBound])\n\(line)\n"
    let identity = Array("gatebook/\(reader.id)\n".utf8) + [1] + key.publicKey
    let signature = Array(SHA256().hash(identity).prefix(4)) + key.sign(Array(text.utf8))
    return "\(text)\n— gatebook/\(reader.id) \(Base64.encode(signature))\n"
  }
}
