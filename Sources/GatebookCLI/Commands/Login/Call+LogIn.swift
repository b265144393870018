internal import Gatebook
internal import GatebookCurl
internal import GatebookLoginPage
internal import GatebookSystem

extension Call {
  /// Logs in and prints the account; with `--account` it must be that one, so there must be a book.
  ///
  /// Errors that need no secret are reported before one is requested. The book is open by then, so
  /// nobody types a password for a book that cannot store it.
  ///
  /// - Parameters:
  ///   - onServerPage: Whether the person logs in on a page of the server.
  ///   - instead: How the same login is made without that page; `nil` for a command that has no
  ///     other way.
  ///   - browser: Shows the code for another device, for methods that have one.
  ///   - method: Makes the method; asks what is not yet known.
  ///   - next: What is tried once after a failure elsewhere than on a page; `nil` for nothing.
  /// - Returns: How the program ends.
  /// - Throws: What reading the options, asking or the login throws.
  func logIn(
    onServerPage: Bool = false, instead: BrowserlessLogin? = nil, browser: (any Browser)? = nil,
    _ method: @escaping @MainActor @Sendable (LoginQuestions) throws -> LoginMethod,
    after next: @MainActor (GatebookError) throws -> LoginMethod? = { _ in nil }
  ) async throws -> ExitCode {
    let place = onServerPage ? try RedirectPlace(arguments[ServerPageArguments.redirect]) : nil
    let questions = LoginQuestions(answers, redirect: place?.uri ?? "")
    try LoginPageArguments.check(arguments, opensPage: onServerPage)
    let draft = try method(questions.draft)
    var options = try checkedOptions(for: draft)
    if hasLoginPage || loginPage != nil {
      if !onServerPage, browser == nil, questions.fields.contains(where: { $0.kind == .password }) {
        return try await logIn(by: .asking(draft, questions, method), options, draft: draft)
      }
      // Who has chosen the account on the page did not ask for a page of that method.
      guard let loginPage else { throw LoginPageArguments.useless(draft.origin) }
      await loginPage.continueElsewhere(at: draft.origin)
    }
    // A password that is given must never be left unread in silence.
    if let place, !place.isTyped, arguments.has(Answers.standardInputOption),
      !questions.hasQuestions, !mayAskPassphrase
    {
      throw BrowserlessLogin.unreadInput(instead)
    }
    return try await showLogIn(mayMake: globals.account == nil) { book in
      options.account = try await namedAccount(book)?.account
      try await book.checkLogIn(try method(questions.withoutSecrets), options: options)
      // Nothing else is in the way now.
      let method = try method(questions)
      let context =
        if let place {
          try await logIn(on: place, book, method, options, instead: instead)
        } else {
          try await logIn(book, method, options, browser, after: next)
        }
      return (context, options.label, options.saveCredentials)
    }
  }

  /// Logs in by a body that has the open book, and prints the account and what else is to be said.
  ///
  /// - Parameters:
  ///   - mayMake: Whether a book is made when there is none.
  ///   - body: Logs in; returns the account, the label that was asked for, and whether credentials
  ///     were to be saved.
  /// - Returns: How the program ends.
  /// - Throws: What opening the book or the body throws.
  func showLogIn(
    mayMake: Bool = false,
    _ body: @MainActor (SessionBook) async throws -> (SessionContext, String?, Bool)
  ) async throws -> ExitCode {
    let (context, told) = try await withBook(mayMake: mayMake) { book in
      let former = try await FormerAccounts(book)
      let (context, label, savesCredentials) = try await body(book)
      let told = try await notes(
        on: context, after: former, label: label, in: book, savesCredentials: savesCredentials)
      return (context, told)
    }
    output.loggedIn(context)
    for line in told { output.message(line) }
    return .done
  }

  private func logIn(
    _ book: SessionBook, _ method: LoginMethod, _ options: LoginOptions,
    _ browser: (any Browser)?, after next: @MainActor (GatebookError) throws -> LoginMethod?
  ) async throws -> SessionContext {
    progress.show("logging in at \(method.origin)")
    defer { progress.finish() }
    do throws(GatebookError) {
      return try await book.logIn(method, options: options, browser: browser)
    } catch {
      guard let other = try next(error) else { throw error }
      return try await book.logIn(other, options: options, browser: browser)
    }
  }

  /// The options of a login, for anybody's account; refuses what no answer makes right.
  private func checkedOptions(for draft: LoginMethod) throws -> LoginOptions {
    let options = try LoginArguments.options(arguments, at: draft.origin)
    try CurlTransport.check(options.trust)
    try SessionBook.checkLogIn(draft, options: options)
    return options
  }

  /// What is to be said of a login besides the account, as sentences.
  private func notes(
    on context: SessionContext, after former: FormerAccounts, label: String?, in book: SessionBook,
    savesCredentials: Bool
  ) async throws(GatebookError) -> [String] {
    let account = context.account
    var told = try await former.changes(by: context, in: book)
    // The same user by the same client is the same account.
    if let label, let kept = context.label?.value, kept != label {
      told.append(
        Printable.text("The account keeps its label \(kept).")
          + " `gatebook rename \(ShellText.word(kept)) \(ShellText.word(label))\(givenPlace)` changes it."
      )
    }
    let missing = try await book.missingScopes(of: account)
    if !missing.isEmpty { told.append(RenewalWatch.ungranted(missing)) }
    if savesCredentials, try await !book.hasSavedLogin(account) {
      told.append(
        "No credentials were saved: this login gave nothing that could log in again, such as a refresh "
          + "token."
      )
    }
    return told
  }

  /// Logs in on a page of the server, whose redirect arrives at a place.
  func logIn(
    on place: RedirectPlace, _ book: SessionBook, _ method: LoginMethod, _ options: LoginOptions,
    instead: BrowserlessLogin? = nil
  ) async throws -> SessionContext {
    if case .typed = place { return try await logInByCode(book, method, options) }
    let advice = Locked<String?>(nil)
    // Any program on the machine can send redirects: as many are reported as the book records.
    let untold = Locked(16)
    let visitor = PageVisitor(place: place) { page in
      let otherWay = await instead?.advice(in: book, options)
      advice.withLock { $0 = otherWay }
      showPage(page, at: place, withoutBrowser: otherWay)
    } refuse: { error in
      let isTold = untold.withLock { left in
        left -= 1
        return left >= 0
      }
      guard isTold else { return }
      output.message(
        "A redirect was refused: \(error.message) Still waiting for the server's answer.")
    }
    do throws(GatebookError) {
      return try await book.logIn(method, options: options, browser: visitor)
    } catch {
      var error = error
      if error.code == .challengeTimedOut, let otherWay = advice.withLock({ $0 }) {
        error.remedy += " \(otherWay)"
      }
      throw error
    }
  }

  private func logInByCode(
    _ book: SessionBook, _ method: LoginMethod, _ options: LoginOptions
  ) async throws -> SessionContext {
    let pending = try await book.beginLogIn(method, options: options)
    do {
      // The question below waits for a line: until then it must be clear whether a browser came up.
      if let browser = startBrowser(pending.page), await browser.fails(within: .seconds(2)) {
        showAddress(pending.page)
      }
      let code = try answers.secret("Code that \(pending.server) shows")
      return try await book.finishLogIn(pending.id, code: code)
    } catch {
      // A login that nobody can finish must not keep waiting, even if this run was cancelled.
      await Task { _ = try? await book.cancelLogIn(pending.id) }.value
      throw error
    }
  }
}

extension Call {
  /// Who logs in: the option's value, else the name that the last login of the account was asked
  /// with that `--account` names.
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
  ///
  /// On a page it is a field, so that nothing is required then.
  func askedUser(_ option: CommandOption) throws -> String? {
    hasLoginPage ? try user(option) : try requiredUser(option)
  }

  /// The same, where no page can ask for it.
  func requiredUser(_ option: CommandOption) throws -> String {
    if let name = try user(option) ?? accountAsked()?.account.loginName.value { return name }
    return try arguments.required(option)
  }

  /// The account that `--account` names, and the settings of its last login.
  func accountAsked() throws -> (account: SessionContext, settings: SavedSettings?)? {
    guard globals.account != nil else { return nil }
    let reader = try BookReader.open(at: globals.book, key: try keySource(mayAsk: true))
    guard let context = try namedAccount(reader) else { return nil }
    return (context, try reader.savedSettings(of: context.account))
  }
}
