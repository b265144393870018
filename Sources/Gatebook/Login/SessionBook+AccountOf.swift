extension SessionBook {
  /// The account of a person whom a server has named.
  ///
  /// What leads to it is a row that no hash covers; whose the account is, its own first event says
  /// (architecture rule 8).
  ///
  /// - Throws: `identity.mismatch` where the book leads to another user's account.
  func account(of person: Person) throws(GatebookError) -> AccountID? {
    guard let account = try reader.account(named: person.userParts) else { return nil }
    guard try reader.wasAdded(account, for: person) else { throw Self.misled }
    return account
  }

  private static let misled = GatebookError(
    .identityMismatch,
    "The book leads from this user to the account of another one: what finds accounts in it was changed.",
    kept: "Sessions are as before.",
    remedy: "Use a copy of the book from before; `gatebook doctor` names the accounts.")
}

extension BookReader {
  /// Whether an account was added for a person; also where what says so is sealed, or gone.
  func wasAdded(_ account: AccountID, for person: Person) throws(GatebookError) -> Bool {
    guard let identity = try identity(of: account) else { return true }
    return identity == [person.server.description, person.tenant, person.userID]
  }

  /// Accounts with a key that their own user does not lead to, but another account: each login of that
  /// user is refused.
  ///
  /// - Returns: Ids, in the order of the accounts.
  /// - Throws: `key.missing` when the book was opened without its key, `storage` failures.
  package func misledAccounts() throws(GatebookError) -> [AccountID] {
    var misled: [AccountID] = []
    for context in try accounts() {
      guard let identity = try identity(of: context.account) else { continue }
      let family = String(context.method.prefix { $0 != "-" })
      let found = try account(named: ["user", family] + identity)
      if let found, found != context.account { misled.append(context.account) }
    }
    return misled
  }

  /// The server, the tenant and the user's id that an account was added for; `nil` where that is
  /// sealed, or gone.
  private func identity(of account: AccountID) throws(GatebookError) -> [String]? {
    guard let state = try state(of: account), let event = try event(at: state.added),
      case .known(let facts)? = event.personal, let server = event.data["server"]?.text,
      let userID = facts["userID"]?.text, let tenant = facts["tenant"]?.text
    else { return nil }
    return [server, tenant, userID]
  }
}
