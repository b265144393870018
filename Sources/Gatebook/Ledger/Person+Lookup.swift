extension Person {
  /// What finds the account by the server's user ID ("Event format", section "Sealed bytes").
  var userParts: [String] { formerUserParts + clientPart }

  /// What finds the account by the typed name.
  var nameParts: [String] { formerNameParts + clientPart }

  /// What found it by the user id before accounts were told apart by their client.
  var formerUserParts: [String] { ["user", family, server.description, tenant, userID] }

  /// What found it by the typed name then.
  var formerNameParts: [String] { ["name", family, server.description, tenant, loginName] }

  /// Nothing where there is no client, or where the tenant is the client already.
  private var clientPart: [String] { client.isEmpty || client == tenant ? [] : [client] }
}

extension BookReader {
  /// The account of a person by the server's user id.
  ///
  /// - Parameter person: The person.
  /// - Returns: The account; `nil` for none.
  /// - Throws: `key.missing` when the book was opened without its key; `storage` failures.
  func account(ofUser person: Person) throws(GatebookError) -> AccountID? {
    try account(of: person, person.userParts, person.formerUserParts)
  }

  /// The account of a person by the typed name.
  ///
  /// - Parameter person: The person.
  /// - Returns: The account; `nil` for none.
  /// - Throws: `key.missing` when the book was opened without its key; `storage` failures.
  func account(ofName person: Person) throws(GatebookError) -> AccountID? {
    try account(of: person, person.nameParts, person.formerNameParts)
  }

  /// The client by which an account logs in.
  ///
  /// - Parameter account: The account.
  /// - Returns: The client as its events name it, or what its last login was asked with; `nil`
  ///   where neither tells one.
  /// - Throws: `key.missing` when the book was opened without its key; `storage` failures.
  func client(of account: AccountID) throws(GatebookError) -> String? {
    if let client = try state(of: account)?.client { return client }
    // What cannot be read tells none.
    let values = (try? savedSettings(of: account))??.values
    return values?["clientID"]?.text ?? values?["consumerKey"]?.text
  }

  /// Books that were written before know accounts without their client: such an account is the
  /// person's where its client is the same, or not known.
  private func account(
    of person: Person, _ parts: [String], _ former: [String]
  ) throws(GatebookError) -> AccountID? {
    if let account = try account(named: parts) { return account }
    guard parts != former, let account = try account(named: former) else { return nil }
    guard let client = try client(of: account) else { return account }
    return client == person.client ? account : nil
  }
}
