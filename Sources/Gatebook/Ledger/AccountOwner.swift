/// Whom an account is for, so that nobody else's answer is taken for its session (architecture rule
/// 8).
///
/// It is read before a server is asked: a book that cannot be read when the answer comes must not
/// cost it.
struct AccountOwner {
  /// The server, the tenant and the user's id that it was added for, as its own events say; `nil`
  /// where they are gone.
  let identity: [String]?
  /// The client that it was added for; `nil` where its events name none.
  let client: String?
  /// What leads to it; no hash covers that, so it counts only where the events are gone.
  let lookups: Set<[UInt8]>

  /// Whether it is a person's; where nothing is left that tells, it is.
  ///
  /// - Parameters:
  ///   - person: Whom the server has named.
  ///   - reader: The book.
  /// - Returns: Whether it is.
  /// - Throws: `key.missing` when the book was opened without its key.
  func `is`(_ person: Person, in reader: BookReader) throws(GatebookError) -> Bool {
    guard client == nil || client == person.client else { return false }
    if let identity {
      return identity == [person.server.description, person.tenant, person.userID]
    }
    guard !lookups.isEmpty else { return true }
    let hashes = [
      try reader.lookupHash(person.userParts), try reader.lookupHash(person.formerUserParts),
    ]
    return hashes.contains(where: lookups.contains)
  }
}
