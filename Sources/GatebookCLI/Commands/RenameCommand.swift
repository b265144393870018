internal import Gatebook

/// `gatebook rename`.
struct RenameCommand: Command {
  private static let account = Positional("A", "the account: label, id, beginning of id, user@host")
  private static let name = Positional("NAME", "its new label: 1 to 64 characters, not all digits")

  static let help = Help(
    "rename", "Give an account a label.", in: .accounts, positionals: [account, name],
    exits: [.done, .usage, .damaged, .busy, .cannotOpen],
    example: "gatebook rename ada@portal.example work", account: .argument)

  func run(_ call: Call) async throws -> ExitCode {
    let name = try call.arguments.required(Self.account)
    let label = try call.arguments.required(Self.name)
    try AccountSelector.checkLabel(label)
    let context = try await call.withBook { book in
      let account = try AccountSelector.select(name, among: try await book.accounts())
      return try await book.rename(account.account, to: label)
    }
    call.output.account(context, isFull: false)
    return .done
  }
}
