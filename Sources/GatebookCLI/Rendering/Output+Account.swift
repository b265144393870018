internal import Gatebook

extension Output {
  /// One account, as an object or one fact a line.
  ///
  /// - Parameters:
  ///   - context: The account.
  ///   - isFull: Whether the user's attributes belong to it.
  ///   - asOf: Which state of the past it is; `nil` for now.
  ///   - scopes: What its session was granted, where that is to be told and is known.
  ///   - login: The command that logs it in again, for programs, where it needs one and that is
  ///     known.
  func account(
    _ context: SessionContext, isFull: Bool, asOf: AsOf? = nil, scopes: [String]? = nil,
    login: String? = nil
  ) {
    let rendering = AccountRendering(context, scopes: scopes, login: login)
    guard !tells(programs: [rendering.json(isFull: isFull, asOf: asOf)]) else { return }
    if let asOf { line(asOf.text(times)) }
    lines(rendering.lines(self, isFull: isFull, asOf: asOf?.moment))
  }

  /// What a command has done to an account: one line, or with `--verbose` all that is known of it.
  ///
  /// - Parameters:
  ///   - context: The account, as it is now.
  ///   - done: What was done, such as `Logged in to id.example as alice`.
  ///   - tellsState: Whether the account's state follows.
  func success(_ context: SessionContext, _ done: String, tellsState: Bool = true) {
    guard !isJSON, !isVerbose else { return account(context, isFull: false) }
    let state = tellsState ? " (\(AccountRendering(context).state(self)))" : ""
    sentence("\(Printable.text(done))\(state).")
  }

  /// That an account has logged in.
  func loggedIn(_ context: SessionContext) {
    let user = AccountRendering.userName(context).map { " as \($0)" } ?? ""
    success(context, "Logged in to \(ServerName.text(context.server))\(user)")
  }

  /// Some accounts: one in a line, more as lines or as a table.
  ///
  /// - Parameters:
  ///   - contexts: The accounts, as they are now.
  ///   - tellsState: Whether the state of the only one follows what was done.
  ///   - done: What was done to the only one.
  func accounts(
    _ contexts: [SessionContext], tellsState: Bool = true, done: (SessionContext) -> String
  ) {
    if contexts.count == 1 {
      return success(contexts[0], done(contexts[0]), tellsState: tellsState)
    }
    if isJSON {
      for context in contexts { account(context, isFull: false) }
    } else {
      table(AccountRendering.table(contexts, times))
    }
  }
}

extension GatebookError {
  /// Nothing can be done with an account that was erased.
  static func accountErased(remedy: String, status: Int? = nil) -> GatebookError {
    GatebookError(
      .sessionRefused, "The account was erased.",
      kept: "Its history is kept; its user, its attributes and its secrets are gone.",
      remedy: remedy, status: status)
  }

  /// The error with the name of the account that it is about.
  func told(of name: String) -> GatebookError {
    var error = self
    error.message = "\(name): \(message)"
    return error
  }
}
