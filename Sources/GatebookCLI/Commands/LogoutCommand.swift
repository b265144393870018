internal import Gatebook

/// `gatebook logout`.
struct LogoutCommand: Command {
  private static let all = CommandOption.flag("--all", "log out every account")
  private static let check = CommandOption.value(
    "--check", "NAME", "end this security check of a MobileFirst account, and its tokens")
  private static let forget = CommandOption.flag("--forget", "remove saved credentials too")
  private static let page = CommandOption.flag(
    "--page", "also open the server's page that logs the browser out there")

  static let help = Help(
    "logout", "Log out: here at once, then at the server.", in: .login,
    details: [
      "Gatebook destroys the session's secrets. The account stays in the book; with --forget its saved "
        + "credentials are removed too. If the server does not answer within five seconds, Gatebook tells it "
        + "later. With --all every account is logged out here first.",
      "With --check the session continues, unless this check named the account's user. The exit is 4 if "
        + "the server does not end the check, and 8 if it is not trusted.",
      "With --page the browser is logged out too, at an OpenID Connect server that has a "
        + "page for it. If no browser can be started, the line `open URL` says what to open. "
        + "The server may ask first, because the URL does not name the user.",
    ],
    positionals: [.account],
    options: [
      all, check, forget, page, ServerPageArguments.noBrowser, Answers.standardInputOption,
    ],
    exitNotes: [(.done, "also: the server could not be told yet")],
    examples: ["gatebook logout work --forget", "gatebook logout --all"])

  func run(_ call: Call) async throws -> ExitCode {
    if let check = call.arguments[Self.check] { return try await end(check, call) }
    let forgets = call.arguments.has(Self.forget)
    _ = try call.arguments.only(of: [Self.all, GlobalOptions.accountOption])
    let (contexts, wasOver, notes) = try await call.withBook { book in
      // An empty book without a named account is reported as that, also with --all.
      let all = try await book.accounts()
      try Call.refuseNone(all)
      let accounts = call.arguments.has(Self.all) ? all : [try call.choose(among: all)]
      var notes: [String] = []
      if call.arguments.has(Self.page) {
        for account in accounts { notes += try await Self.show(account, book, call) }
      }
      let ended =
        call.arguments.has(Self.all)
        ? try await book.logOutAll(forgettingCredentials: forgets)
        : [try await book.logOut(accounts[0].account, forgettingCredentials: forgets)]
      for after in ended {
        guard let before = accounts.first(where: { $0.account == after.account }) else { continue }
        notes += try await Self.notes(before, after, book, place: call.givenPlace)
      }
      let current = try await book.accounts().first(where: \.isCurrent)
      if let current, current.account != all.first(where: \.isCurrent)?.account {
        notes.append("\(AccountRendering.name(current)) is now the current account.")
      }
      return (ended, accounts.allSatisfy(Self.isOver), notes)
    }
    // Of one account that had no session the note says it all.
    if call.output.isJSON || call.output.isVerbose || contexts.count != 1 || !wasOver {
      call.output.accounts(contexts, tellsState: false) { context in
        "Logged out of \(ServerName.text(context.server))"
          + (AccountRendering.userName(context).map { " as \($0)" } ?? "")
      }
    }
    for note in notes { call.output.message(Printable.text(note)) }
    return .done
  }

  /// Opens the page that ends the person's own session at the server.
  @MainActor private static func show(
    _ account: SessionContext, _ book: SessionBook, _ call: Call
  ) async throws -> [String] {
    // Without the ID token: the page's URL becomes an argument of the browser's.
    guard
      let page = try await book.endSessionPage(of: account.account, namesPerson: false)
    else {
      let name = AccountRendering.name(account)
      return [
        account.state.isUsable
          ? "\(name): The server has no logout page."
          : "\(name): The session has ended, and the server's logout page works only during a session."
      ]
    }
    if let browser = call.startBrowser(page, "it ends the browser's own session there"),
      await browser.fails(within: .seconds(2))
    {
      call.showAddress(page)
    }
    return []
  }

  private static func isOver(_ context: SessionContext) -> Bool {
    if case .ended = context.state { true } else { false }
  }

  /// What the account's state after the logout does not tell.
  private static func notes(
    _ before: SessionContext, _ after: SessionContext, _ book: SessionBook, place: String
  ) async throws(GatebookError) -> [String] {
    let name = AccountRendering.name(before)
    var notes: [String] = []
    if isOver(before) {
      notes.append("\(name) was already logged out.")
    } else if !before.state.isUsable {
      notes.append("\(name): The session had already ended: \(before.state.text).")
    } else if let note = try await serverLogout(after, book) {
      notes.append("\(name): \(note)")
    }
    if try await book.hasSavedCredentials(before.account) {
      let fate =
        try await book.hasSavedLogin(before.account)
        ? "can log the account in again"
        : "are kept, although they could not log the account in again"
      notes.append(
        "\(name): The saved credentials \(fate). `gatebook credentials remove \(AccountRendering.option(before))\(place)` "
          + "removes them.")
    }
    if try await book.waitingDeliveries(of: before.account) > 0 {
      notes.append("\(name): The server was not told yet: `gatebook sync\(place)` tells it.")
    }
    return notes
  }

  /// What is said where something was left alive at a server.
  private static func serverLogout(
    _ after: SessionContext, _ book: SessionBook
  ) async throws(GatebookError) -> String? {
    switch try await book.lastFarewell(of: after.account) {
    case "none" where ["oidc", "oauth2"].contains(after.method):
      "The server was not told, because it has no known revocation endpoint. Its tokens stay valid "
        + "there until they expire. If it has one, give `--revoke-url URL` at the next login."
    case "unread":
      "The server was not told, because the session's secrets cannot be read. Its tokens stay valid "
        + "there until they expire."
    case "givenUp":
      "The server refused to revoke its tokens, and Gatebook does not ask again. They stay valid there "
        + "until they expire."
    default: nil
    }
  }

  @MainActor private func end(_ check: String, _ call: Call) async throws -> ExitCode {
    guard !call.arguments.has(Self.all), !call.arguments.has(Self.forget) else {
      throw UsageError(
        "`--check` cannot be combined with `--all` or `--forget`.",
        remedy:
          "Leave one of them out: a check belongs to one account and has no saved credentials.")
    }
    let (context, result) = try await call.withBook { book in
      let account = try await call.account(book).account
      let manager = try await book.authorizationManager(of: account)
      let result = try await manager.logout(check)
      return (try await book.context(of: account), result)
    }
    call.output.success(
      context,
      result == .done
        ? "Ended the check \(check) of \(AccountRendering.person(context))"
        : AccountRendering.person(context))
    switch result {
    case .done: return .done
    case .nothingToEnd:
      call.output.message("The server had nothing to end.")
      return .done
    case .failed(let code, let status):
      // A check that named the user ends the session here, whatever the server says to it.
      guard context.state.isUsable else {
        call.output.message(Self.text(code, status) + " The session in the book has ended.")
        return .done
      }
      throw Self.notEnded(code, status)
    }
  }

  private static func text(_ code: FailureCode?, _ status: Int?) -> String {
    if let status { return "The server did not end the check: it answered \(status)." }
    if let code, ExitCode(code) == .untrusted {
      return code == .tlsKeyChanged
        ? "The server's key has changed, so Gatebook did not tell it to end the check."
        : "The server is not trusted, so Gatebook did not tell it to end the check."
    }
    return code?.rawValue.hasPrefix("network.") == true
      ? "The server could not be reached, so it did not end the check."
      : "The check was not ended at the server."
  }

  /// The check lives on at the server: only tokens were forgotten.
  private static func notEnded(_ code: FailureCode?, _ status: Int?) -> GatebookError {
    let isTrouble = status.map { $0 == 429 || $0 >= 500 } ?? false
    let code = code ?? (isTrouble ? .serverUnavailable : .serverRefused)
    let remedy =
      if status != nil, !isTrouble {
        "Make sure that `--check` is the exact name of a security check of the server."
      } else if ExitCode(code) == .untrusted {
        "`gatebook trust list` shows which keys are trusted. To trust another one, log in again."
      } else {
        "Try again later."
      }
    return GatebookError(
      code, text(code, status),
      kept:
        "The session continues. The tokens of this check were deleted from the book.",
      remedy: remedy, status: status)
  }
}
