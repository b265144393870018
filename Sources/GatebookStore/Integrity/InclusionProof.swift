internal import GatebookCrypto
public import GatebookEvents
internal import GatebookSystem

/// A proof that an event is in a book, which can be checked without the book.
///
/// It is a C2SP `tlog-proof` whose extra data is the event itself and the key that signed: see
/// "Event format". It is convincing only if it is known from elsewhere that the key is the book's.
public struct InclusionProof: Hashable, Sendable {
  /// The book of the event.
  public let book: BookID
  /// The event; personal data stays encrypted.
  public let event: RecordedEvent
  /// How many events the signed tree has.
  public let size: Int64
  /// The root of the signed tree, hexadecimal.
  public let root: String
  /// The book's public key (Ed25519), hexadecimal: its first event names it as `checkpointKey`.
  public let publicKey: String
  /// The signed checkpoint in it.
  public let checkpoint: String

  static let heading = "c2sp.org/tlog-proof@v1"

  /// Reads a proof and checks all of it.
  ///
  /// - Parameters:
  ///   - text: A proof from ``BookReader/proof(of:against:)``.
  ///   - note: A checkpoint of the book that was kept elsewhere: then the same key must have signed
  ///     both; `nil` trusts the key in the proof.
  /// - Throws: `configuration.invalid` for a text that is no proof, `storage.damaged` for one that
  ///   does not hold.
  public init(text: String, against note: String? = nil) throws(GatebookError) {
    guard text.utf8.count <= 4 << 20, let split = text.firstRange(of: "\n\n") else {
      throw Self.invalid
    }
    let lines = text[..<split.lowerBound].split(
      separator: "\n", omittingEmptySubsequences: false)
    checkpoint = String(text[split.upperBound...])
    guard lines.count >= 3, lines[0] == Self.heading, lines[1].hasPrefix("extra "),
      let extra = Base64.decode(lines[1].dropFirst(6)),
      extra.count > 33, extra[0] == 1, lines[2].hasPrefix("index "),
      let index = Int64(lines[2].dropFirst(6)), index >= 0, "index \(index)" == lines[2],
      let book = Checkpoint.book(of: checkpoint)
    else { throw Self.invalid }
    let key = Array(extra[1..<33])
    let canonical = Array(extra[33...])
    guard let event = RecordedEvent(canonical: canonical) else {
      throw .doesNotHold("Its event cannot be read.")
    }
    guard event.position.rawValue - 1 == index else {
      throw .doesNotHold("Its event is not the one at the position that it names.")
    }
    let siblings = lines.dropFirst(3)
    let path = siblings.compactMap { Base64.decode($0).flatMap { Digest(bytes: $0) } }
    guard path.count == siblings.count else { throw Self.invalid }
    let head: Checkpoint
    do throws(GatebookError) {
      head = try Checkpoint(note: checkpoint, of: book, signedBy: key)
    } catch {
      // What is no checkpoint at all makes it no proof; one that another key has signed proves
      // nothing.
      throw error.code == .configurationInvalid
        ? Self.invalid : .doesNotHold("Its checkpoint is not signed by the key that it names.")
    }
    guard
      Self.root(of: SHA256().leaf(canonical), at: index, in: head.size, path) == head.root
    else { throw .doesNotHold("The event does not lead to the signed root.") }
    if let note { try Self.compare(head, of: book, signedBy: key, with: note) }
    self.book = book
    self.event = event
    size = head.size
    root = Hex.encode(head.root.bytes)
    publicKey = Hex.encode(key)
  }

  private static func compare(
    _ head: Checkpoint, of book: BookID, signedBy key: [UInt8], with note: String
  ) throws(GatebookError) {
    guard let other = Checkpoint.book(of: note) else {
      throw GatebookError(
        .configurationInvalid, "The given file is not a checkpoint of a book.",
        remedy: "Give a checkpoint, made with `SessionBook.checkpoint()`.")
    }
    guard other == book else {
      throw GatebookError(
        .storageDamaged,
        "The checkpoint belongs to another book, \(other): the proof is of book \(book).",
        kept: "The proof itself holds, but it is not shown who signed it.",
        remedy: "Give a checkpoint of book \(book).")
    }
    let kept: Checkpoint
    do throws(GatebookError) {
      kept = try Checkpoint(note: note, of: book, signedBy: key)
    } catch {
      throw .doesNotHold("The checkpoint that was kept elsewhere was signed by a different key.")
    }
    guard kept.size != head.size || kept.root == head.root else {
      throw .doesNotHold("The checkpoint that was kept elsewhere has a different root.")
    }
  }

  /// The root that a leaf and its path lead to (RFC 9162 section 2.1.3.2); `nil` for a path of a
  /// wrong length.
  static func root(of leaf: Digest, at index: Int64, in size: Int64, _ path: [Digest]) -> Digest? {
    guard index < size else { return nil }
    let hash = SHA256()
    var (node, last) = (index, size - 1)
    var root = leaf
    for sibling in path {
      guard last > 0 else { return nil }
      if node & 1 == 1 || node == last {
        root = hash.node(sibling, root)
        while node & 1 == 0, node > 0 {
          node >>= 1
          last >>= 1
        }
      } else {
        root = hash.node(root, sibling)
      }
      node >>= 1
      last >>= 1
    }
    return last == 0 ? root : nil
  }

  private static let invalid = GatebookError(
    .configurationInvalid, "The file is not a proof of an event.",
    remedy: "Give a proof, made with `BookReader.proof`.")
}

extension GatebookError {
  fileprivate static func doesNotHold(_ why: String) -> GatebookError {
    GatebookError(
      .storageDamaged, "The proof does not hold. \(why)",
      kept: "It proves nothing about the event.",
      remedy: "Ask for a new proof, made with `BookReader.proof`, and check the book itself.")
  }
}
