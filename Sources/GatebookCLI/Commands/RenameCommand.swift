internal import Gatebook

/// `gatebook rename`.
struct RenameCommand: Command {
  private static let name = Positional("NAME", "its new label: 1 to 64 characters, not all digits")

  static let help = Help(
    "rename", "Give an account a label.", in: .accounts, positionals: [.account, name],
    examples: ["gatebook rename ada@portal.example work", "gatebook rename work private"])

  func run(_ call: Call) async throws -> ExitCode {
    try call.requireAccount(of: Self.help)
    let label = try call.arguments.required(Self.name)
    try AccountSelector.checkLabel(label)
    let context = try await call.withBook { book in
      try await book.rename(try await call.account(book).account, to: label)
    }
    call.output.success(
      context, "The account is now called \(AccountRendering.person(context))", tellsState: false)
    return .done
  }
}
