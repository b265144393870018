internal import Gatebook

/// `gatebook whoami`.
struct WhoamiCommand: Command {
  static let help = Help(
    "whoami", "Show the current account, or the one named, with its attributes.", in: .accounts,
    positionals: [.account],
    examples: ["gatebook whoami --json", "gatebook whoami work"],
    isAudit: true)

  func run(_ call: Call) async throws -> ExitCode {
    let reader = try call.reader()
    let account = try call.account(reader)
    let login = call.login(of: account, in: reader)
    call.output.account(
      account, isFull: true, scopes: try reader.scopes(of: account), login: login?.command())
    if let login, !call.output.isJSON { call.output.message(login.sentence(.logInAgain)) }
    return .done
  }
}
