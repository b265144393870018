internal import Gatebook

/// `gatebook accounts`.
struct AccountsCommand: Command {
  static let help = Help(
    "accounts", "List the accounts and say which one is current.", in: .accounts,
    exits: [.done, .damaged, .cannotOpen], example: "gatebook accounts --json", isAudit: true,
    account: .wholeBook)

  func run(_ call: Call) async throws -> ExitCode {
    let accounts = try call.reader().accounts()
    if call.output.isJSON {
      for account in accounts { call.output.json(AccountRendering(account).json(isFull: false)) }
    } else if accounts.isEmpty {
      call.output.message("There is no account yet. Log in: see `gatebook help login`.")
    } else {
      call.output.table(AccountRendering.table(accounts, call.output.times))
    }
    return .done
  }
}
