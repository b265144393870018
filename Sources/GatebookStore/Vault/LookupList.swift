internal import GatebookEvents

/// The hashes that find an account, as its vault keeps them encrypted.
///
/// No leaf covers `account_lookup`: where a hash there is changed, the next login of the same
/// person makes a second account. With the book's key the table is compared with this list.
struct LookupList: Hashable {
  /// The row's purpose in the vault.
  static let purpose = "lookups"

  /// The hashes, 32 bytes each.
  var hashes: Set<[UInt8]>
  /// The last event when the list was taken from the table of a book that had none; `nil` where
  /// each hash was added by the login that gave it.
  let taken: Int64?

  /// Makes a list.
  init(_ hashes: Set<[UInt8]> = [], taken: Int64? = nil) {
    self.hashes = hashes
    self.taken = taken
  }

  /// Reads what `encoded` wrote; `nil` for anything else.
  init?(_ content: [UInt8]) {
    guard let facts = Facts(decoding: content), let texts = facts["hashes"]?.list else {
      return nil
    }
    let read = texts.compactMap { $0.text.flatMap { Hex.decode($0) } }
    guard read.count == texts.count else { return nil }
    hashes = Set(read)
    taken = facts["taken"]?.integer
  }

  /// The list for the vault.
  var encoded: [UInt8] {
    let texts = hashes.map { Hex.encode($0) }.sorted()
    let facts: Facts = [
      "hashes": .list(texts.map(FactValue.text)), "taken": .optional(taken),
    ]
    return facts.encoded
  }
}
