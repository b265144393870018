extension Ledger {
  /// The account of a person whom a server has named.
  ///
  /// What leads to it is a row that no hash covers; whose the account is, its own first event says
  /// (architecture rule 8).
  ///
  /// - Parameter person: The person.
  /// - Returns: The account; `nil` for a person without one.
  /// - Throws: `identity.mismatch` where the book leads to another user's account, or to none;
  ///   storage failures.
  func account(of person: Person) throws(GatebookError) -> AccountID? {
    guard let account = try reader.account(ofUser: person) else {
      guard try !reader.leadsNowhere(person.userParts) else { throw Self.misled }
      return nil
    }
    guard let state = try reader.state(of: account), state.state != .ended(.erased) else {
      // Erased meanwhile: no lookup finds it.
      guard try reader.account(ofUser: person) != nil else { return nil }
      throw Self.misled
    }
    guard try reader.owner(of: account).is(person, in: reader) else { throw Self.misled }
    return account
  }

  private static let misled = GatebookError(
    .identityMismatch,
    "The lookups of the book were changed: they lead from this user to another user's account.",
    kept: "No session was changed.",
    remedy:
      "Check the book with `BookVerifier`, and use a copy from before the change."
  )

  /// The fingerprint of a typed name, which tells it from others where no account is known.
  ///
  /// The client is no part of it: one name at one server is one.
  func nameFingerprint(of person: Person) throws(GatebookError) -> String {
    try reader.nameFingerprint(person.formerNameParts)
  }
}
