internal import Gatebook

/// `gatebook sync`.
struct SyncCommand: Command {
  static let help = Help(
    "sync", "Deliver what servers were not told yet, and verify resumed sessions.", in: .use,
    details: [
      "Delivers the logouts and revocations that servers could not be told before, and verifies "
        + "sessions that were resumed or whose renewal was lost. Sessions are kept unless a server refuses "
        + "one. A server without a page that can confirm a session is reported, but is not a failure. A "
        + "server that asked to wait (Retry-After) is not contacted earlier, for a day at most.",
      "With an account only its server is asked.",
    ],
    positionals: [.account], options: [Answers.standardInputOption, LoginArguments.timeoutOption],
    examples: ["gatebook sync --json", "gatebook sync work"])

  func run(_ call: Call) async throws -> ExitCode {
    let isOfAll = call.globals.account == nil
    let (report, accounts) = try await call.withBook(delivers: isOfAll) { book in
      let named = try await call.namedAccount(book)?.account
      let report = try await book.sync(named)
      let accounts = try await book.accounts().filter { named == nil || $0.account == named }
      return (report, accounts)
    }
    let names = AccountNames(accounts)
    if call.output.isJSON {
      call.output.json(
        .present([
          "delivered": .integer(Int64(report.delivered)),
          "givenUp": .integer(Int64(report.givenUp)),
          "waiting": .integer(Int64(report.waiting)),
          "underWay": .integer(Int64(report.underWay)),
          "demandedUntil": report.demandedUntil.map { .time($0) },
          "verified": .list(report.verified.map { .text($0.description) }),
          "failed": .list(
            report.failures.map {
              .present([
                "account": .text($0.account.description), "code": .text($0.error.code.rawValue),
              ])
            }),
          "unprovable": .list(report.unprovable.map { .text($0.description) }),
        ]))
    } else if report.isEmpty {
      call.output.line(
        "Nothing to do: no server had to be told anything, and no session had to be verified.")
    } else {
      call.output.line(
        "delivered \(report.delivered), waiting \(report.waiting), "
          + "verified \(report.verified.count), not verified \(report.failures.count)"
          + (report.unprovable.isEmpty ? "" : ", unprovable \(report.unprovable.count)")
          + (report.givenUp == 0 ? "" : ", given up \(report.givenUp)")
          + (report.underWay == 0 ? "" : ", being delivered by another process \(report.underWay)")
          + (report.demandedUntil.map { ", not before \(call.output.times.text($0))" } ?? ""))
      for account in report.unprovable {
        call.output.message(
          "\(Printable.text(names[account])): This server has no page that can confirm a session.")
      }
    }
    let failed = report.failures.map(\.account)
    for context in accounts where !failed.contains(context.account) {
      guard let renewal = AccountRendering(context).renewal(call.output.times) else { continue }
      call.output.message(
        "\(Printable.text(names[context.account])): The session can be used; its renewal \(renewal)."
      )
    }
    if report.givenUp > 0 {
      call.output.message(
        "Gatebook does not send again what it gave up; `gatebook log --failed\(call.givenAccount)` "
          + "shows why.")
    }
    return Self.exit(report, accounts, names, call)
  }

  /// Prints why the exit is not 0, also with `--quiet`; accounts that failed alike together.
  @MainActor private static func exit(
    _ report: SyncReport, _ accounts: [SessionContext], _ names: AccountNames, _ call: Call
  ) -> ExitCode {
    /// The options that name an account in a printed command.
    func options(_ account: AccountID) -> String {
      accounts.first { $0.account == account }.map {
        " \(AccountRendering.option($0))\(call.givenPlace)"
      } ?? call.givenAccount
    }
    var errors: [(error: GatebookError, options: String)] = []
    var told: Set<ErrorReport> = []
    for failure in report.failures {
      let text = likeness(failure.error, options(failure.account))
      guard told.insert(text).inserted else { continue }
      let alike = report.failures.filter { likeness($0.error, options($0.account)) == text }
      errors.append(
        (
          failure.error.told(of: alike.map { names[$0.account] }.joined(separator: ", ")),
          options(failure.account)
        ))
    }
    if report.waiting > 0 { errors.append((waiting(report, call.output), call.givenAccount)) }
    var exit: ExitCode?
    for (error, options) in errors {
      let told = ErrorReport.of(error, of: help, account: options)
      call.output.report(told)
      exit = exit ?? told.exit
    }
    return exit ?? .done
  }

  /// What two failures have in common: a cause may tell how many milliseconds it took.
  @MainActor private static func likeness(
    _ error: GatebookError, _ options: String
  ) -> ErrorReport {
    var error = error
    error.cause = nil
    return ErrorReport.of(error, of: help, account: options)
  }

  @MainActor private static func waiting(
    _ report: SyncReport, _ output: Output
  ) -> GatebookError {
    let demand = report.demandedUntil.map {
      " It asked not to be contacted before \(output.times.text($0))."
    }
    let messages = report.waiting == 1 ? "message is" : "messages are"
    return GatebookError(
      .serverUnavailable,
      "A server could not be told: \(report.waiting) \(messages) waiting.\(demand ?? "")",
      kept: "The messages are kept in the book, encrypted. In the book the sessions have ended.",
      remedy:
        "Run `gatebook sync` again \(demand == nil ? "later" : "then"); `gatebook why` explains what "
        + "went wrong.")
  }
}
