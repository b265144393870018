internal import Gatebook
internal import GatebookCurl
internal import GatebookLoginPage
internal import GatebookSystem

extension Call {
  /// Whether credentials are typed on Gatebook's own page.
  var hasLoginPage: Bool { arguments.has(LoginPageArguments.page) }

  /// Logs in by a form on Gatebook's page, and prints the account.
  ///
  /// - Parameters:
  ///   - form: The form.
  ///   - options: The options of the login.
  ///   - draft: The method without its answers; what no answer makes right is refused before the
  ///     page opens. `nil` where the form says the method.
  /// - Returns: How the program ends.
  /// - Throws: What opening the book or the page throws, or the login.
  func logIn(
    by form: LoginForm, _ options: LoginOptions, draft: LoginMethod? = nil
  ) async throws -> ExitCode {
    try CurlTransport.check(options.trust)
    return try await showLogIn(mayMake: globals.account == nil) { book in
      var options = options
      options.account = try await namedAccount(book)?.account
      if let draft { try await book.checkLogIn(draft, options: options) }
      let context = try await onLoginPage { page throws(GatebookError) in
        try await page.logIn(form, in: book, options: options)
      }
      return (context, options.label, false)
    }
  }

  /// Does something on Gatebook's page: on the open one, else on a new one that is opened in the
  /// browser and closed afterwards.
  func onLoginPage<Value: Sendable>(
    _ body: (LoginPage) async throws(GatebookError) -> Value
  ) async throws -> Value {
    if let loginPage { return try await body(loginPage) }
    let page = try openLoginPage()
    do throws(GatebookError) {
      let value = try await body(page)
      await page.close()
      return value
    } catch {
      await page.close(because: error)
      throw error
    }
  }

  /// Opens Gatebook's page in the browser.
  ///
  /// - Throws: As `LoginPageArguments.open`.
  func openLoginPage() throws -> LoginPage {
    let page = try LoginPageArguments.open(arguments) { [self] news in await tell(news) }
    if let browser = startBrowser(page.address, "fill it in there") {
      // A browser that cannot show it fails soon; one that keeps running is left alone.
      Task {
        guard await browser.fails() else { return }
        showAddress(page.address)
      }
    }
    output.instruction("code \(page.code): the page shows the same")
    output.message(
      "Waiting for you on that page, for up to \(Self.length(page.limit)). Ctrl-C cancels.")
    return page
  }

  private func tell(_ news: LoginPageNews) {
    switch news {
    case .opened(let program):
      let who = program.map { " by \($0)" } ?? ""
      output.message(Printable.text("The page was opened\(who)."))
    case .failed(let error):
      output.message(
        Printable.text("The login failed: \(error.message) The page waits for another try."))
    // Also with `--quiet`: somebody may be after the password.
    case .refused(let text): output.instruction(Printable.text(text))
    }
  }
}

extension LoginForm {
  /// The form of what a method asks a person.
  ///
  /// - Parameters:
  ///   - draft: The method without its answers.
  ///   - questions: What it asks.
  ///   - method: Makes the method.
  /// - Returns: The form.
  static func asking(
    _ draft: LoginMethod, _ questions: LoginQuestions,
    _ method: @escaping @MainActor @Sendable (LoginQuestions) throws -> LoginMethod
  ) -> LoginForm {
    var form = LoginForm(server: "\(draft.origin)", fields: questions.fields) {
      answers, book, options throws(GatebookError) in
      let answered = questions.answered(by: answers, saves: options.saveCredentials)
      return try await book.logIn(try await made(method, answered), options: options)
    }
    form.asksForOtherPasswords = leavesOtherPasswords(draft)
    form.takesClientSecret = takesClientSecret(draft)
    return form
  }

  /// Makes a method; what an option's value makes of an answer is an error of the login here.
  @MainActor private static func made(
    _ method: @MainActor (LoginQuestions) throws -> LoginMethod, _ questions: LoginQuestions
  ) throws(GatebookError) -> LoginMethod {
    do {
      return try method(questions)
    } catch let error as GatebookError {
      throw error
    } catch {
      let usage = error as? UsageError
      throw GatebookError(
        .configurationInvalid, usage?.message ?? "\(error)", kept: "Nothing was sent.",
        remedy: usage?.remedy ?? "Correct the form.")
    }
  }
}
