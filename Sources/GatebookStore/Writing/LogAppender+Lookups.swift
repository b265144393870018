internal import GatebookEvents

/// The lists of the hashes that find accounts: see `LookupList`.
extension LogAppender {
  /// The lists that an append changes, as they are before anything of it is written.
  ///
  /// - Returns: The list by account: of each that logs in or is given a hash, and of each that had
  ///   the hash before. `nil` stands for a list that has to be taken from the table: there is none,
  ///   it does not open, or a version of Gatebook that keeps no lists has logged the account in
  ///   since.
  func lookupLists(before append: Append) throws(GatebookError) -> [AccountID: LookupList?] {
    var lists: [AccountID: LookupList?] = [:]
    for account in append.newAccounts { lists[account.id] = LookupList() }
    var changed = append.lookups.map(\.account)
    for event in append.events where event.kind == .loginSucceeded {
      if let account = event.account { changed.append(account) }
    }
    for lookup in append.lookups {
      if let former = try connection.account(foundBy: lookup.hash) { changed.append(former) }
    }
    for account in changed where lists[account] == nil {
      guard try hasWorkingKey(account) else { continue }
      lists[account] = .some(try lookupList(of: account))
    }
    return lists
  }

  /// Writes the lists again, with the hashes that an append has added, and once those of an older
  /// book.
  ///
  /// - Parameters:
  ///   - lists: What `lookupLists(before:)` returned.
  ///   - append: What was written since.
  /// - Throws: `storage` failures.
  func keep(
    _ lists: [AccountID: LookupList?], after append: Append
  ) throws(GatebookError) {
    for (account, former) in lists where try !stream(of: account).isErased {
      guard var list = former else {
        try keep(try takenList(of: account), of: account)
        continue
      }
      for new in append.newAccounts where new.id == account {
        list.hashes.formUnion(new.lookups)
      }
      for lookup in append.lookups {
        if lookup.account == account {
          list.hashes.insert(lookup.hash)
        } else {
          list.hashes.remove(lookup.hash)
        }
      }
      try keep(list, of: account)
    }
    guard !hasLookupLists else { return }
    for account in try accountsWithoutList() where try hasWorkingKey(account) {
      try keep(try takenList(of: account), of: account)
    }
    hasLookupLists = true
  }

  private func keep(_ list: LookupList, of account: AccountID) throws(GatebookError) {
    // The generation is a position: with the log it tells whether a login has come since.
    try apply(
      .set(account, purpose: LookupList.purpose, generation: size, content: list.encoded))
  }

  private func lookupList(of account: AccountID) throws(GatebookError) -> LookupList? {
    let rows = try connection.rows(
      "SELECT generation, sealed FROM vault WHERE account = ?1 AND purpose = ?2",
      try stream(of: account).number, LookupList.purpose)
    guard let row = try rows.next() else { return nil }
    let generation = row.integer(0)
    let binding = Sealer.Binding.vault(purpose: LookupList.purpose, generation: generation)
    guard generation >= (try projections.state(of: account)?.person.rawValue ?? 0) else {
      return nil
    }
    return sealer.open(row.bytes(1), of: account, binding).flatMap { LookupList($0) }
  }

  private func takenList(of account: AccountID) throws(GatebookError) -> LookupList {
    let hashes = try connection.all(
      "SELECT hash FROM account_lookup WHERE account = ?1", try stream(of: account).number
    ) { $0.bytes(0) }
    return LookupList(Set(hashes), taken: size)
  }

  private func accountsWithoutList() throws(GatebookError) -> [AccountID] {
    try connection.all(
      """
      SELECT id FROM account WHERE length(key) > 0 AND NOT EXISTS (
        SELECT 1 FROM vault WHERE account = account.number AND purpose = ?1)
      """, LookupList.purpose
    ) { AccountID(bytes: $0.raw(0)) }
  }

  /// Whether an account's key works; one with a damaged key must not stop the others.
  private func hasWorkingKey(_ account: AccountID) throws(GatebookError) -> Bool {
    if sealer.holdsKey(of: account) { return true }
    return try connection.first(
      "SELECT key FROM account WHERE id = ?1 AND length(key) > 0", account
    ) { (row) throws(GatebookError) in try sealer.opens(row.bytes(0), of: account) } ?? false
  }
}
