internal import Gatebook

/// `gatebook accounts`.
struct AccountsCommand: Command {
  private static let names = CommandOption.flag(
    "--names", "print only a name for --account per line, for shells; never asks for a key")

  private static let all = CommandOption.flag(
    "--all", "also accounts that were erased or whose session ended more than 30 days ago")

  static let help = Help(
    "accounts", "List the accounts and say which one is current.", in: .accounts,
    details: ["With --account only that one.", "`--json` and `--names` always list all."],
    options: [all, names],
    examples: ["gatebook accounts --json", "gatebook accounts --all"],
    isAudit: true, isPaged: true)

  func run(_ call: Call) async throws -> ExitCode {
    let namesOnly = call.arguments.has(Self.names)
    let reader = try namesOnly ? call.readerUnasked() : call.reader()
    let named = try call.namedAccount(reader)
    let accounts = if let named { [named] } else { try reader.accounts(at: call.now) }
    if namesOnly {
      guard !call.output.isJSON else {
        throw UsageError(
          "`--names` prints text, one name per line, so it cannot be combined with `--json`.",
          remedy: "Leave out `--names` or `--json`.")
      }
      for account in accounts { call.output.line(AccountRendering.selector(account)) }
    } else if call.output.isJSON {
      for account in accounts { call.output.json(AccountRendering(account).json(isFull: false)) }
    } else if accounts.isEmpty {
      call.output.message("The book has no account yet. Log in: see `gatebook help login`.")
    } else {
      let shown =
        named == nil && !call.arguments.has(Self.all)
        ? accounts.filter { !Self.isPast($0, at: call.now.wall) } : accounts
      if !shown.isEmpty {
        call.output.table(AccountRendering.table(shown, call.output.times))
      }
      if shown.count < accounts.count {
        call.output.message(Self.hidden(accounts.count - shown.count, call))
      }
      // Who was logged out is meant to be.
      for account in accounts {
        guard case .needsLogin = account.state, let login = call.login(of: account, in: reader),
          login.isKnown
        else { continue }
        let name = Printable.text(AccountRendering.name(account))
        call.output.message("\(name): \(login.clause(.logInAgain)).")
      }
    }
    return .done
  }

  /// Whether only the history of an account is left.
  static func isPast(_ context: SessionContext, at now: Timestamp) -> Bool {
    guard case .ended(let reason) = context.state else { return false }
    return reason == .erased || now > context.since + .seconds(30 * 86_400)
  }

  @MainActor private static func hidden(_ count: Int, _ call: Call) -> String {
    let what =
      count == 1 ? "1 account is not listed: it was" : "\(count) accounts are not listed: they were"
    return
      "\(what) erased, or ended more than 30 days ago. `gatebook accounts --all\(call.givenPlace)` "
      + "lists \(count == 1 ? "it" : "them")."
  }
}
