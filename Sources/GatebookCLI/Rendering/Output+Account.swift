internal import Gatebook

extension Output {
  /// One account, as an object or one fact a line.
  ///
  /// - Parameters:
  ///   - context: The account.
  ///   - isFull: Whether the user's attributes belong to it.
  ///   - asOf: Which state of the past it is; `nil` for now.
  ///   - scopes: What its session was granted, where that is to be told and is known.
  ///   - login: The command that logs it in again, for programs, where it needs one and that is known.
  func account(
    _ context: SessionContext, isFull: Bool, asOf: AsOf? = nil, scopes: [String]? = nil,
    login: String? = nil
  ) {
    let rendering = AccountRendering(context, scopes: scopes, login: login)
    if isJSON {
      json(rendering.json(isFull: isFull, asOf: asOf))
    } else {
      if let asOf { line(asOf.text(times)) }
      for line in rendering.lines(self, isFull: isFull, asOf: asOf?.moment) { self.line(line) }
    }
  }

  /// Some accounts: one like `account`, more as lines or as a table.
  func accounts(_ contexts: [SessionContext]) {
    if contexts.count == 1 { return account(contexts[0], isFull: false) }
    if isJSON {
      for context in contexts { account(context, isFull: false) }
    } else {
      table(AccountRendering.table(contexts, times))
    }
  }
}
