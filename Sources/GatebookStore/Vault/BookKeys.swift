internal import GatebookCrypto
internal import GatebookEvents

/// What is derived from a book's master key, once for each open ("Event format", *Sealed bytes*).
struct BookKeys: Sendable {
  let book: BookID
  /// Kept only to be handed to another source when the key moves.
  let master: Secret
  let wrap: [UInt8]
  let signing: SigningKey
  /// Tells the right key from a wrong one.
  let check: [UInt8]
  private let lookup: [UInt8]
  private let name: [UInt8]
  private let document: [UInt8]

  init(master: Secret, book: BookID) throws(GatebookError) {
    func derive(_ purpose: String) -> [UInt8] {
      master.withBytes { bytes in
        HKDF.sha256(
          secret: bytes, salt: book.bytes, info: Array("gatebook/\(purpose)".utf8), count: 32)
      }
    }
    self.book = book
    self.master = master
    wrap = derive("wrap")
    lookup = derive("lookup")
    name = derive("name")
    document = derive("document")
    check = Array(HMAC.sha256(key: derive("check"), Array("gatebook".utf8)).prefix(16))
    guard let signing = SigningKey(seed: derive("checkpoint")) else {
      throw .storageDamaged("The key for checkpoints cannot be made.")
    }
    self.signing = signing
  }

  /// Finds an account by the parts that name a person.
  func lookupHash(_ parts: [String]) -> [UInt8] {
    HMAC.sha256(key: lookup, Self.encode(parts))
  }

  /// Finds a document by what tells it from others, such as its URL.
  func documentName(_ parts: [String]) -> DocumentName {
    DocumentName(bytes: HMAC.sha256(key: document, Self.encode(parts)))
  }

  /// Tells typed names apart in events of the book's own stream.
  func nameFingerprint(_ parts: [String]) -> String {
    Hex.encode(HMAC.sha256(key: name, Self.encode(parts)).prefix(16))
  }

  private static func encode(_ parts: [String]) -> [UInt8] {
    var bytes: [UInt8] = []
    for part in parts {
      let content = Array(part.utf8)
      withUnsafeBytes(of: UInt32(truncatingIfNeeded: content.count).bigEndian) {
        bytes.append(contentsOf: $0)
      }
      bytes.append(contentsOf: content)
    }
    return bytes
  }
}
