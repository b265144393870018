internal import Gatebook
internal import GatebookLoginPage
internal import GatebookSystem

extension LoginCommand {
  /// Asks on a terminal which account logs in, or where; elsewhere nothing is asked.
  @MainActor static func menu(_ call: Call) async throws -> ExitCode {
    if call.hasLoginPage { return try await chooser(call) }
    guard Terminal.isThere, !call.arguments.has(Answers.standardInputOption) else {
      throw incomplete
    }
    let accounts = try accounts(call)
    if !accounts.isEmpty { call.output.instruction("Log in again:") }
    for (number, context) in accounts.enumerated() {
      let line = "\(AccountRendering.person(context)), \(context.stateText)"
      call.output.instruction("  \(number + 1)  \(Printable.text(line))")
    }
    call.output.instruction(
      accounts.isEmpty
        ? "There is no account yet. Type the address of a server, such as id.example."
        : "For another server, type its address, such as id.example.")
    let answer = try call.answers.text(accounts.isEmpty ? "Address" : "Number or address")
    if let number = Int(answer), accounts.indices.contains(number - 1) {
      var arguments = call.arguments
      arguments.replace(
        GlobalOptions.accountOption, by: [accounts[number - 1].account.description])
      return try await again(try call.with(arguments))
    }
    if methods.contains(answer) {
      throw UsageError(
        "The method `\(answer)` takes options.", remedy: "See `gatebook help login \(answer)`.")
    }
    let address = answer.contains("://") ? answer : "https://\(answer)"
    return try await logIn(at: address, call)
  }

  /// Shows the accounts on Gatebook's page: an active one becomes the current one, and another one
  /// logs in again on the same page.
  @MainActor private static func chooser(_ call: Call) async throws -> ExitCode {
    try LoginPageArguments.check(call.arguments)
    let accounts = try accounts(call)
    guard !accounts.isEmpty else { throw incomplete }
    let page = try call.openLoginPage()
    do {
      let chosen = try await page.choose(among: accounts)
      var arguments = call.arguments
      arguments.replace(GlobalOptions.accountOption, by: [chosen.account.description])
      let named = try call.with(arguments).on(page)
      if chosen.state.isUsable, try await use(chosen, on: page, named) { return .done }
      let code = try await again(named)
      await page.close()
      return code
    } catch {
      await page.close(because: error as? GatebookError ?? unfit(error))
      throw error
    }
  }

  /// What the page says of a usage error, which the terminal explains.
  private static func unfit(_ error: any Error) -> GatebookError {
    let usage = error as? UsageError
    return GatebookError(
      .configurationInvalid, usage?.message ?? "\(error)", remedy: usage?.remedy ?? "Log in again.")
  }

  /// Makes an account the current one, without a login.
  ///
  /// - Returns: `false` where its session has ended meanwhile.
  @MainActor private static func use(
    _ context: SessionContext, on page: LoginPage, _ call: Call
  ) async throws -> Bool {
    let current = try await call.withBook { book in
      await page.recordVisits(in: book)
      let current = try await book.switchAccount(to: context.account)
      guard current.state.isUsable else { return current }
      await page.finish(with: current)
      await page.close()
      return current
    }
    guard current.state.isUsable else { return false }
    call.output.success(
      current, "The current account is \(AccountRendering.person(current))")
    return true
  }

  /// The accounts that can be logged in again, those that need it first.
  @MainActor private static func accounts(_ call: Call) throws -> [SessionContext] {
    let reader: BookReader
    do {
      reader = try call.reader()
    } catch let error as GatebookError where error.code == .storageNone {
      return []
    }
    let known = try reader.accounts(at: call.now).filter { $0.state != .ended(.erased) }
    return known.filter { !$0.state.isUsable } + known.filter { $0.state.isUsable }
  }
}
