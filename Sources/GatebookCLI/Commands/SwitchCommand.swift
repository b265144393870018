internal import Gatebook

/// `gatebook switch`.
struct SwitchCommand: Command {
  private static let account = Positional("A", "the account: label, id, beginning of id, user@host")

  static let help = Help(
    "switch", "Make an account the current one.", in: .accounts,
    details: ["An account whose secret is missing is refused, and the current one stays."],
    positionals: [account],
    exits: [.done, .usage, .loginNeeded, .damaged, .busy, .cannotOpen],
    example: "gatebook switch work", account: .argument)

  func run(_ call: Call) async throws -> ExitCode {
    let name = try call.arguments.required(Self.account)
    let context = try await call.withBook { book in
      let account = try AccountSelector.select(name, among: try await book.accounts())
      return try await book.switchAccount(to: account.account)
    }
    call.output.account(context, isFull: false)
    if !context.state.isUsable {
      call.output.message("It cannot be used: \(context.state.text). Log it in again.")
    }
    return .done
  }
}
