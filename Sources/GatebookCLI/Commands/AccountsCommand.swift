internal import Gatebook

/// `gatebook accounts`.
struct AccountsCommand: Command {
  private static let names = CommandOption.flag(
    "--names", "only what --account takes for each, one a line: for shells; asks nobody for a key")

  static let help = Help(
    "accounts", "List the accounts and say which one is current.", in: .accounts,
    details: ["With --account that one alone."], options: [names],
    exits: [.done, .usage, .damaged, .cannotOpen], example: "gatebook accounts --json",
    isAudit: true)

  func run(_ call: Call) async throws -> ExitCode {
    let namesOnly = call.arguments.has(Self.names)
    let reader = try namesOnly ? call.readerUnasked() : call.reader()
    let named = try call.namedAccount(reader)
    let accounts = if let named { [named] } else { try reader.accounts(at: call.now) }
    if namesOnly {
      guard !call.output.isJSON else {
        throw UsageError(
          "`--names` is text, a name a line.", remedy: "Leave out `--names` or `--json`.")
      }
      for account in accounts { call.output.line(AccountRendering.selector(account)) }
    } else if call.output.isJSON {
      for account in accounts { call.output.json(AccountRendering(account).json(isFull: false)) }
    } else if accounts.isEmpty {
      call.output.message("There is no account yet. Log in: see `gatebook help login`.")
    } else {
      call.output.table(AccountRendering.table(accounts, call.output.times))
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
}
