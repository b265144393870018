internal import Gatebook
internal import GatebookSystem

/// `gatebook restore`.
struct RestoreCommand: Command {
  private static let all = CommandOption.flag("--all", "resume every usable account")

  static let help = Help(
    "restore", "Resume a session without network.", in: .login,
    details: [
      "Shows what the book knows, and when the server last confirmed it. The next request asks the "
        + "server again. A session that the server has not confirmed for longer than the login's "
        + "--offline-limit ends instead.",
      "With --password-stdin the account is resumed only with its password: that of the last login with "
        + "--save-credentials, checked without the network. The answers are read in this order: the book's "
        + "passphrase if it has one, the password. On a terminal Gatebook asks for the password without "
        + "echo. After 5 wrong passwords in a row none is checked; the session is kept. A `gatebook login` "
        + "with the password at the server allows the check again.",
      "With --all, Gatebook asks for the password of each account that can check one, in the order of "
        + "`gatebook accounts`. It also asks for accounts that need a login or were logged out, so the "
        + "order does not depend on states. The other accounts are resumed without a password.",
    ],
    positionals: [.account], options: [all, Answers.standardInputOption],
    examples: ["gatebook restore --all --json", "gatebook restore work"])

  func run(_ call: Call) async throws -> ExitCode {
    _ = try call.arguments.only(of: [Self.all, GlobalOptions.accountOption])
    let (contexts, refusals) = try await call.withBook {
      book -> ([SessionContext], [GatebookError]) in
      guard call.arguments.has(Self.all) else {
        let account = try await call.account(book)
        let asks = call.arguments.has(Answers.standardInputOption)
        return ([try await restore(account, asks: asks, book, call)], [])
      }
      return try await restoreAll(book, call)
    }
    call.output.accounts(contexts) { "Resumed \(AccountRendering.person($0))" }
    for error in refusals { call.output.report(ErrorReport.of(error)) }
    if contexts.contains(where: { !$0.isRecorded }) {
      call.output.message("The book could not be written, so the log does not show this restore.")
    }
    guard !refusals.contains(where: { $0.code == .cancelled }) else { return .cancelled }
    guard !refusals.contains(where: { $0.code == .storageDamaged }) else { return .damaged }
    return refusals.isEmpty && contexts.allSatisfy(\.state.isUsable) ? .done : .loginNeeded
  }

  /// Resumes one; an account that needed a login before is reported as by `whoami`.
  @MainActor private func restore(
    _ context: SessionContext, asks: Bool, _ book: SessionBook, _ call: Call
  ) async throws -> SessionContext {
    do {
      let resumed = try await resume(context, asks: asks, book, call)
      // Its known life ended just now: the book records that first.
      guard !resumed.isRecorded, !resumed.state.isUsable else { return resumed }
      return try await book.restore(context.account)
    } catch let error as GatebookError
      where error.code == .sessionRefused && !context.state.isUsable
    {
      throw try await call.unusable(context, in: book, status: error.status)
    }
  }

  @MainActor private func resume(
    _ context: SessionContext, asks: Bool, _ book: SessionBook, _ call: Call
  ) async throws -> SessionContext {
    guard asks else { return try await book.restore(context.account) }
    let isTyped = FileDescriptor.isTerminal(0)
    do throws(GatebookError) {
      // First: nobody types a password that nothing can check.
      try await book.checkRestorableByPassword(context.account)
    } catch {
      // The line that a pipe has for this account is not the next one's password.
      if !isTyped { _ = try? call.answers.secret("") }
      throw error
    }
    // What is typed on a terminal is not shown, whatever stream it was to come from.
    let answers = isTyped ? call.answers.fromTerminal : call.answers
    let name = Printable.text(context.loginName.value ?? AccountRendering.name(context))
    return try await book.restore(
      context.account, password: try answers.secret("Password for \(name) at \(context.server)"))
  }

  /// Whether a password can be checked for an account; one that cannot be read was made.
  private static func hasVerifier(_ account: AccountID, _ book: SessionBook) async -> Bool {
    do throws(GatebookError) {
      return try await book.hasOfflineVerifier(account)
    } catch {
      return true
    }
  }

  /// An account that needs a login, whose password was wrong, or whose secret does not open, does
  /// not keep the others from being resumed.
  @MainActor private func restoreAll(
    _ book: SessionBook, _ call: Call
  ) async throws -> ([SessionContext], [GatebookError]) {
    var contexts: [SessionContext] = []
    var refusals: [GatebookError] = []
    for context in try await book.accounts() {
      var asks = call.arguments.has(Answers.standardInputOption)
      // Its line is there even if that cannot be read; the account's own error says what is wrong.
      if asks { asks = await Self.hasVerifier(context.account, book) }
      if case .ended = context.state {
        // There is nothing to resume, but its line is not the next one's password.
        if asks, !FileDescriptor.isTerminal(0) { _ = try? call.answers.secret("") }
        continue
      }
      do {
        contexts.append(try await restore(context, asks: asks, book, call))
      } catch let error as GatebookError where Self.isOfOneAccount(error.code) {
        contexts.append(try await book.context(of: context.account))
        // Its state says that an account needs a login.
        if error.code != .sessionRefused {
          refusals.append(error.told(of: AccountRendering.name(context)))
        }
      } catch let error as GatebookError where !contexts.isEmpty {
        // Such as the end of the input: resumed accounts are reported all the same.
        var refusal = error.told(of: AccountRendering.name(context))
        refusal.kept = "Accounts that were already resumed stay resumed."
        refusals.append(refusal)
        break
      }
    }
    guard !contexts.isEmpty else {
      throw GatebookError(
        .sessionRefused, "There is no session to resume.",
        remedy: "Log in: see `gatebook help login`.")
    }
    return (contexts, refusals)
  }

  private static func isOfOneAccount(_ code: FailureCode) -> Bool {
    [.sessionRefused, .credentialsRefused, .challengeBlocked, .storageDamaged].contains(code)
  }
}
