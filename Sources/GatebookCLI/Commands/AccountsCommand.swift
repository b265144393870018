internal import Gatebook

/// `gatebook accounts`.
struct AccountsCommand: Command {
  static let help = Help(
    "accounts", "List the accounts and say which one is current.", in: .accounts,
    details: ["With --account that one alone."],
    exits: [.done, .usage, .damaged, .cannotOpen], example: "gatebook accounts --json",
    isAudit: true)

  func run(_ call: Call) async throws -> ExitCode {
    let reader = try call.reader()
    let named = try call.namedAccount(reader)
    let accounts = if let named { [named] } else { try reader.accounts(at: call.now) }
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
