internal import Gatebook

extension Output {
  /// One account, as an object or one fact a line.
  ///
  /// - Parameters:
  ///   - context: The account.
  ///   - isFull: Whether the user's attributes belong to it.
  func account(_ context: SessionContext, isFull: Bool) {
    let rendering = AccountRendering(context)
    if isJSON {
      json(rendering.json(isFull: isFull))
    } else {
      for line in rendering.lines(self, isFull: isFull) { self.line(line) }
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
