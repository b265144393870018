extension Person {
  /// What finds the account by the server's user id ("Event format", *Sealed bytes*).
  var userParts: [String] { ["user", family, server.description, tenant, userID] }

  /// What finds the account by the typed name.
  var nameParts: [String] { ["name", family, server.description, tenant, loginName] }
}
