internal import Gatebook

/// `gatebook rename`.
struct RenameCommand: Command {
  private static let account = Positional(
    "A", "the account: label, id, beginning of id, user@host; else --account", isOptional: true)
  private static let name = Positional("NAME", "its new label: 1 to 64 characters, not all digits")

  static let help = Help(
    "rename", "Give an account a label.", in: .accounts, positionals: [account, name],
    exits: [.done, .usage, .damaged, .busy, .cannotOpen, .cancelled],
    example: "gatebook rename ada@portal.example work")

  func run(_ call: Call) async throws -> ExitCode {
    let name = call.arguments[Self.account]
    try call.requireAccount(name, of: Self.help)
    let label = try call.arguments.required(Self.name)
    try AccountSelector.checkLabel(label)
    let context = try await call.withBook { book in
      try await book.rename(try await call.account(name, in: book).account, to: label)
    }
    call.output.account(context, isFull: false)
    return .done
  }
}
