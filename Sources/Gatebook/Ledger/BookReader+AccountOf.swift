extension BookReader {
  /// Whom an account is for.
  ///
  /// - Parameter account: The account.
  /// - Returns: What the book knows of that now.
  /// - Throws: Storage failures.
  func owner(of account: AccountID) throws(GatebookError) -> AccountOwner {
    AccountOwner(
      identity: try identity(of: account), client: try state(of: account)?.client,
      lookups: try lookupHashes(of: account))
  }

  /// Accounts with a key that their own user does not lead to, but another user's account: each
  /// login of that user is refused.
  ///
  /// - Returns: Ids, in the order of the accounts.
  /// - Throws: `key.missing` when the book was opened without its key, `storage` failures.
  package func misledAccounts() throws(GatebookError) -> [AccountID] {
    var misled: [AccountID] = []
    for context in try accounts() {
      do throws(GatebookError) {
        guard let identity = try identity(of: context.account) else { continue }
        guard let person = Person(identity, of: context), let found = try account(ofUser: person),
          found != context.account
        else { continue }
        // Where what led here was lost, a login has made the user a new account.
        if try self.identity(of: found) != identity { misled.append(context.account) }
      } catch  where error.code == .storageDamaged {
        // What one account's damage hides, those who look at the log tell.
        continue
      }
    }
    return misled
  }

  /// The server, the tenant and the user's id that an account was added for; `nil` if that is
  /// encrypted, or gone.
  ///
  /// Where a recovery did not find the account's first event, its last login says the same.
  private func identity(of account: AccountID) throws(GatebookError) -> [String]? {
    guard let state = try state(of: account) else { return nil }
    for position in [state.added, state.person] {
      guard let event = try event(at: position) else { continue }
      // No hash covers the state: where it names another's event, the account is nobody's.
      guard event.account == account else { return [] }
      // Changed facts say nothing, and what else leads to an account no hash covers.
      if event.personal == .lost, try !changedEvents(among: [position]).isEmpty {
        throw GatebookError(
          .storageDamaged,
          "The event at position \(position), which names the user of an account, was changed.",
          kept: "No session was changed.",
          remedy:
            "Verify the book with `BookVerifier`, or recover it with `BookRecovery`.")
      }
      guard let named = event.namedUser,
        let server = event.facts(of: AccountAdded.self)?.server
          ?? event.facts(of: LoginSucceeded.self)?.server
      else { continue }
      return [server, named.tenant, named.userID]
    }
    return nil
  }
}

extension RecordedEvent {
  /// The user that a login or a new account names; `nil` if that is encrypted, or gone.
  var namedUser: LoginSucceeded.Personal? {
    guard case .known(let facts)? = personal, facts.names.contains("tenant"),
      facts.names.contains("userID")
    else { return nil }
    // Both kinds say these under the same names.
    return LoginSucceeded.Personal(facts)
  }
}

extension Person {
  /// The user that an account was added for.
  ///
  /// - Parameters:
  ///   - identity: The server, the tenant and the user's id.
  ///   - context: The account.
  fileprivate init?(_ identity: [String], of context: SessionContext) {
    guard identity.count == 3, let server = HTTPURL(identity[0])?.origin else { return nil }
    self.init(
      family: Person.family(of: context.method), server: server, tenant: identity[1],
      client: context.client ?? "", userID: identity[2], loginName: "")
  }
}
