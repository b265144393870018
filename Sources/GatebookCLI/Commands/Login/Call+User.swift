internal import Gatebook

extension Call {
  /// Who logs in: the option's value, else the name that the last login of the account was asked with
  /// that `--account` names.
  ///
  /// - Parameter option: The command's option for the user.
  /// - Returns: The name; `nil` where neither says one, as where the server names its users.
  /// - Throws: What opening the book throws, `UsageError` for an account that there is not.
  func user(_ option: CommandOption) throws -> String? {
    if let name = arguments[option] { return name }
    guard let (account, settings) = try accountAsked() else { return nil }
    return settings == nil ? account.loginName.value : settings?.user
  }

  /// The same, where the command cannot do without.
  func requiredUser(_ option: CommandOption) throws -> String {
    if let name = try user(option) ?? accountAsked()?.account.loginName.value { return name }
    return try arguments.required(option)
  }

  private func accountAsked() throws -> (account: SessionContext, settings: SavedSettings?)? {
    guard globals.account != nil else { return nil }
    let reader = try BookReader.open(at: globals.book, key: try keySource(mayAsk: true))
    guard let context = try namedAccount(reader) else { return nil }
    return (context, try reader.savedSettings(of: context.account))
  }
}
