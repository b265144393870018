internal import GatebookCrypto
internal import GatebookEvents

/// What is derived from a book's master key, once for each open ("Event format", section "Sealed
/// bytes").
struct BookKeys: Sendable {
  let book: BookID
  /// Kept only to be handed to another source when the key moves.
  let master: Secret
  let wrap: Secret
  let signing: SigningKey
  /// Tells the right key from a wrong one.
  let check: [UInt8]
  private let lookup: Secret
  private let name: Secret
  private let document: Secret

  init(master: Secret, book: BookID) throws(GatebookError) {
    func derive(_ purpose: String) -> Secret {
      var key = master.withBytes { bytes in
        HKDF.sha256(
          secret: bytes, salt: book.bytes, info: Array("gatebook/\(purpose)".utf8), count: 32)
      }
      return Secret(taking: &key)
    }
    self.book = book
    self.master = master
    wrap = derive("wrap")
    lookup = derive("lookup")
    name = derive("name")
    document = derive("document")
    check = derive("check").withBytes {
      Array(HMAC.sha256(key: $0, Array("gatebook".utf8)).prefix(16))
    }
    guard let signing = derive("checkpoint").withBytes({ SigningKey(seed: $0) }) else {
      throw .storageDamaged("The key for checkpoints cannot be derived.")
    }
    self.signing = signing
  }

  /// Finds an account by the parts that name a person.
  func lookupHash(_ parts: [String]) -> [UInt8] {
    lookup.withBytes { HMAC.sha256(key: $0, Self.encode(parts)) }
  }

  /// Finds a document by what tells it from others, such as its URL.
  func documentName(_ parts: [String]) -> DocumentName {
    DocumentName(bytes: document.withBytes { HMAC.sha256(key: $0, Self.encode(parts)) })
  }

  /// Tells typed names apart in events of the book's own stream.
  func nameFingerprint(_ parts: [String]) -> String {
    Hex.encode(name.withBytes { HMAC.sha256(key: $0, Self.encode(parts)) }.prefix(16))
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
