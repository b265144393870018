package import GatebookCrypto
package import GatebookEvents
internal import GatebookSystem

/// A signed statement of a book's size and root, in the C2SP formats `tlog-checkpoint` and
/// `signed-note`.
package struct Checkpoint: Sendable {
  /// How many events it covers.
  package let size: Int64
  /// The root over them.
  package let root: Digest

  /// The note for a book's head.
  static func note(
    size: Int64, root: Digest, of book: BookID, _ key: SigningKey
  ) -> String {
    let origin = origin(of: book)
    let text = "\(origin)\n\(size)\n\(Base64.encode(root.bytes))\n"
    let signature = keyHash(origin, key.publicKey) + key.sign(Array(text.utf8))
    return "\(text)\n— \(origin) \(Base64.encode(signature))\n"
  }

  /// Reads a note and checks its signature.
  ///
  /// - Parameters:
  ///   - note: The note.
  ///   - book: The book that it must be of.
  ///   - key: The book's public key.
  /// - Throws: `configuration.invalid` for what is no checkpoint at all; `storage.damaged` for one
  ///   of another book, or one that this key has not signed.
  package init(note: String, of book: BookID, signedBy key: [UInt8]) throws(GatebookError) {
    let origin = Self.origin(of: book)
    // C2SP signed-note: no control characters but the line feed, in extension lines neither.
    guard note.utf8.allSatisfy({ $0 >= 0x20 || $0 == UInt8(ascii: "\n") }),
      let end = note.firstRange(of: "\n\n")
    else { throw Self.invalid("is not a signed note") }
    let text = String(note[..<end.lowerBound]) + "\n"
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count >= 4, let size = Int64(lines[1]), String(size) == lines[1],
      (0...Self.maximumSize).contains(size),
      let root = Base64.decode(lines[2]).flatMap({ Digest(bytes: $0) })
    else { throw Self.invalid("is not a checkpoint") }
    guard let named = Self.book(of: note) else {
      throw Self.invalid(
        "is not a checkpoint of a Gatebook book")
    }
    guard named == book else { throw Self.mismatch("is of another book, \(named)") }
    guard let signatures = Self.signatures(note[end.upperBound...]) else {
      throw Self.invalid("is not a signed note")
    }
    let hash = Self.keyHash(origin, key)
    let own = signatures.filter { $0.name == origin && Array($0.bytes[..<4]) == hash }
    // A signature that fails refuses the note, whatever other signatures it has (C2SP signed-note).
    let isSigned = own.allSatisfy { signature in
      Ed25519.verify(Array(signature.bytes[4...]), of: Array(text.utf8), by: key)
    }
    guard isSigned, !own.isEmpty else { throw Self.mismatch("is not signed by this book's key") }
    self.size = size
    self.root = root
  }

  /// No book has more events, and each number of them can be calculated with.
  package static let maximumSize = Int64(1) << 53

  /// The most signatures of a note: C2SP signed-note demands that so many are accepted, and a
  /// limit.
  static let maximumSignatures = 16

  /// The lines after the text of a signed note; `nil` where one of them is no signature, or for too
  /// many.
  private static func signatures(
    _ lines: Substring
  ) -> [(name: String, bytes: [UInt8])]? {
    // Scalars, not characters: a mark that combines with a space or with `+` would hide it.
    var lines = lines.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.popLast()?.isEmpty == true, (1...maximumSignatures).contains(lines.count) else {
      return nil
    }
    var signatures: [(name: String, bytes: [UInt8])] = []
    for line in lines {
      let parts = line.split(separator: " ", omittingEmptySubsequences: false)
      guard parts.count == 3, parts[0].elementsEqual("—".unicodeScalars), isName(parts[1]),
        let bytes = Base64.decode(Substring(parts[2])), bytes.count >= 5
      else { return nil }
      signatures.append((String(parts[1]), bytes))
    }
    return signatures
  }

  /// Whether a text can be a key's name.
  ///
  /// Source: C2SP signed-note: "Key names MUST be non-empty and MUST NOT contain any Unicode spaces
  /// or plus (U+002B) characters".
  private static func isName(_ name: Substring.UnicodeScalarView) -> Bool {
    !name.isEmpty && !name.contains { $0.properties.isWhitespace || $0 == "+" }
  }

  /// The book that a note says it is of; `nil` for one that is of no book.
  static func book(of note: String) -> BookID? {
    guard let line = note.split(separator: "\n", omittingEmptySubsequences: false).first,
      line.hasPrefix("gatebook/"), let id = BookID(String(line.dropFirst(9))),
      origin(of: id) == line
    else { return nil }
    return id
  }

  private static func origin(of book: BookID) -> String { "gatebook/\(book)" }

  /// C2SP signed-note: the first four bytes of SHA-256(name ‖ 0x0A ‖ 0x01 ‖ public key).
  private static func keyHash(_ name: String, _ key: [UInt8]) -> [UInt8] {
    Array(SHA256().hash(Array(name.utf8) + [0x0A, 0x01] + key).prefix(4))
  }

  private static func invalid(_ what: String) -> GatebookError {
    GatebookError(
      .configurationInvalid, "The given file \(what).",
      remedy: "Give a checkpoint of this book, made with `SessionBook.checkpoint()`.")
  }

  /// A whole checkpoint that does not fit: either it is the wrong one, or the book was exchanged.
  private static func mismatch(_ what: String) -> GatebookError {
    GatebookError(
      .storageDamaged, "The checkpoint \(what).", kept: "Nothing was changed.",
      remedy:
        "Give a checkpoint that was made from this book. If this is one, it was changed, or the book "
        + "was replaced by another.")
  }
}
