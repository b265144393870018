extension Person {
  /// What finds the account by the server's user id ("Event format", *Sealed bytes*).
  var userParts: [String] { ["user", family, server.description, tenant, userID] }

  /// What finds the account by the typed name.
  var nameParts: [String] { ["name", family, server.description, tenant, loginName] }
}

extension SessionBook {
  /// The fingerprint of a typed name, which tells it from others where no account is known.
  func nameFingerprint(of person: Person) throws(GatebookError) -> String {
    try reader.nameFingerprint(person.nameParts)
  }
}
