public import Gatebook
internal import GatebookSystem

/// A login page on this machine: a presenter that any app can use.
///
/// It is a page on a free port of 127.0.0.1 that the app opens in a browser. The person fills in a
/// ``LoginForm`` there. Errors appear at their fields, and what was typed stays, except passwords.
/// Questions of the server, such as one about its certificate, appear on the same page.
///
/// ```swift
/// let page = try LoginPage(theme: .flat7)
/// openInBrowser(page.address)
/// let ada = try await page.logIn(.liferay(portal), in: book)
/// await page.close()
/// ```
///
/// The address works once: the first visit gets a cookie, and every other visitor sees nothing.
/// Show ``code`` in the app: the page shows the same, so the person knows the page is the app's.
/// The page ends with ``close(because:)``, with the process, or after its time. The delegate of the
/// book is called as for any other login.
///
/// Source: Login Screenlet; RFC 8252 section 7.3 for the port.
public final class LoginPage: Sendable {
  /// What to open in the person's browser; it works once.
  public let address: HTTPURL
  /// A short code of letters and digits that app and page show, to compare.
  public let code: String
  /// How long the page works.
  public let limit: Duration
  private let stage: PageStage
  private let server: PageServer
  private let visits: VisitLog

  /// Starts a page.
  ///
  /// - Parameters:
  ///   - theme: How it looks.
  ///   - limit: How long it works.
  ///   - clock: The clock.
  ///   - random: Where its path, its token and its cookie come from.
  ///   - hear: Hears what the app should tell the person meanwhile.
  /// - Throws: `limit.exceeded` when the machine has no port, thread or file descriptor left.
  public init(
    theme: LoginTheme = .default, limit: Duration = .seconds(600),
    clock: any BookClock = SystemClock(), random: any RandomSource = SystemRandom(),
    hear: @escaping @Sendable (LoginPageNews) async -> Void = { _ in }
  ) throws(GatebookError) {
    let bytes = random.bytes(72)
    code = Self.code(bytes.suffix(8))
    self.limit = limit
    let visits = VisitLog(hear)
    self.visits = visits
    let desk = Locked<PageStage?>(nil)
    server = try PageServer { request in
      guard let stage = desk.withLock({ $0 }) else { return .missing }
      return await stage.answer(request)
    }
    let rules = VisitRules(port: server.port, random: bytes)
    guard let address = HTTPURL(rules.address) else { preconditionFailure("no URL") }
    self.address = address
    let stage = PageStage(theme, rules, code: code, limit: limit, clock: clock) {
      await visits.hear(.opened(by: $0))
    } refused: {
      await visits.add($0)
    }
    self.stage = stage
    desk.withLock { $0 = stage }
  }

  /// Four letters and digits that nobody mistakes for another: no `0`, `O`, `1`, `I`.
  private static func code(_ bytes: some Collection<UInt8>) -> String {
    let letters = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")
    return String(bytes.prefix(4).map { letters[Int($0) % letters.count] })
  }

  /// Shows accounts with their states, and waits until the person chooses one.
  ///
  /// - Parameter accounts: The accounts, in the order of the page.
  /// - Returns: The account that was chosen.
  /// - Throws: `challenge.cancelled`, `challenge.timedOut` after the page's time, or `cancelled`.
  public func choose(
    among accounts: [SessionContext]
  ) async throws(GatebookError) -> SessionContext {
    while true {
      switch await stage.ask(.accounts(accounts)) {
      case .account(let id):
        // A page that was left open may name an account that is gone.
        if let chosen = accounts.first(where: { $0.account.description == id }) { return chosen }
      case .button(PageText.cancel.rawValue, _): throw await end(.cancelled, Self.declined)
      case .button: continue
      case .expired: throw await end(.expired, Self.late)
      case .cancelled: throw await end(.cancelled, Self.stopped)
      }
    }
  }

  /// Shows that an account is used without a login.
  ///
  /// - Parameter context: The account, whose session can be used.
  public func finish(with context: SessionContext) async {
    await stage.show(.continued(context))
  }

  /// Shows that the login continues on a page of its server, in another window.
  ///
  /// - Parameter server: The server.
  public func continueElsewhere(at server: Origin) async {
    await stage.show(.ended(.elsewhere("\(server)")))
  }

  /// Shows a form until its login succeeds.
  ///
  /// After a failure the person can correct the form and try again.
  ///
  /// - Parameters:
  ///   - form: The form.
  ///   - book: The book of the session.
  ///   - options: The options of the login; the person decides about
  ///     `LoginOptions.saveCredentials` where the form offers it, and this value is filled in.
  /// - Returns: The account's context.
  /// - Throws: `challenge.cancelled` when the person cancels, `challenge.timedOut` after the page's
  ///   time, `cancelled`; a storage failure, and `configuration.invalid` for a setting that is no
  ///   field of the form.
  public func logIn(
    _ form: LoginForm, in book: SessionBook, options: LoginOptions = LoginOptions()
  ) async throws(GatebookError) -> SessionContext {
    await visits.record(in: book)
    var options = options
    var view = FormView(
      server: form.server, fields: form.allFields(saving: options.saveCredentials))
    var last: GatebookError?
    while true {
      let answers: LoginAnswers
      switch await stage.ask(.form(view)) {
      // Some programs send a form without its button: it is the first one.
      case .button(PageText.submit.rawValue, let submission), .button("", let submission):
        answers = LoginAnswers(view.fields, submission)
      case .button(PageText.cancel.rawValue, _):
        throw await giveUp(form, .cancelled, Self.declined, last)
      case .button, .account: continue
      case .expired: throw await giveUp(form, .expired, Self.late, last)
      case .cancelled: throw await giveUp(form, .cancelled, Self.stopped, last)
      }
      view.refill(answers)
      guard !view.takeMistakes(in: answers) else { continue }
      if form.offersSaving { options.saveCredentials = answers.isOn(LoginForm.savingName) }
      switch await attempt(form, view, answers, book, options) {
      case .success(let context):
        await stage.show(.done(context))
        return context
      case .failure(let error):
        guard !Task.isCancelled, error.code != .cancelled else {
          if Task.isCancelled { throw await giveUp(form, .cancelled, error, last) }
          // Who cancelled the work is back at the form.
          continue
        }
        last = error
        if form.takesClientSecret, error.serverCode == "invalid_client" {
          view.askClientSecret()
        } else if view.canMend(error) {
          view.take(error, await form.refusal())
        } else {
          throw await giveUp(form, .failed(error), error, nil)
        }
        // Nobody can try again.
        guard await !stage.isOver else {
          // A question was open until then.
          guard error.code != .challengeCancelled else {
            throw await giveUp(form, .expired, Self.late, nil)
          }
          throw await giveUp(form, .failed(error), error, nil)
        }
        await visits.hear(.failed(error))
      }
    }
  }

  /// Makes one login, which the person can cancel on the page.
  private func attempt(
    _ form: LoginForm, _ view: FormView, _ answers: LoginAnswers, _ book: SessionBook,
    _ options: LoginOptions
  ) async -> Result<SessionContext, GatebookError> {
    let place = view.server.isEmpty ? answers["server"] : view.server
    let trusts = options.trust.authorities == .system
    let porter = PagePorter(stage, form, answers, asksAboutCertificates: trusts)
    let limit = limit
    let work = PageWork {
      do throws(GatebookError) {
        return .success(
          try await LoginResolver.asking(porter, within: limit) { () throws(GatebookError) in
            try await form.logIn(answers, book, options)
          })
      } catch {
        return .failure(error)
      }
    }
    // First: the work may ask something on the page.
    await stage.show(.working(server: place)) { work.cancel() }
    return await withTaskCancellationHandler {
      await work.run()
    } onCancel: {
      work.cancel()
    }
  }

  private func giveUp(
    _ form: LoginForm, _ ending: ScreenEnd, _ error: GatebookError, _ last: GatebookError?
  ) async -> GatebookError {
    // A check that refused the last answer learns why it gets no other one.
    await form.giveUp(last ?? error)
    return await end(ending, error)
  }

  private func end(_ ending: ScreenEnd, _ error: GatebookError) async -> GatebookError {
    await stage.show(.ended(ending))
    return error
  }

  /// Records visits that the page refuses in a book from now on; ``logIn(_:in:options:)`` does so.
  ///
  /// - Parameter book: The book.
  public func recordVisits(in book: SessionBook) async { await visits.record(in: book) }

  /// Ends the page, once the browser has got the last screen; at most 3 seconds later.
  ///
  /// A login that is under way on it throws `cancelled`.
  ///
  /// - Parameter error: Why it ends, where a person has seen no end yet; `nil` for a cancel.
  public func close(because error: GatebookError? = nil) async {
    await stage.close(error.map { .failed($0) } ?? .cancelled)
    await stage.lastShown(within: .seconds(3))
    await visits.finish()
    server.stop()
    // The process may end now.
    await server.stopped()
  }

  private static let declined = GatebookError(
    .challengeCancelled, "The login was cancelled on the page.", kept: "No session was changed.",
    remedy: "Log in again when you like.")
  private static let stopped = GatebookError(
    .cancelled, "The caller cancelled.", kept: "No session was changed.",
    remedy: "Log in again when you like.")
  private static let late = GatebookError(
    .challengeTimedOut, "The login page was not answered in time.",
    kept: "No session was changed.", remedy: "Log in again.")
}
