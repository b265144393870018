internal import Gatebook

/// `gatebook erase`.
struct EraseCommand: Command {
  private static let account = Positional(
    "A", "the account: label, id, beginning of id, user@host; else --account", isOptional: true)
  private static let yes = CommandOption.flag(
    "--yes", "do not ask; needed where there is no terminal")

  static let help = Help(
    "erase", "Forget an account's person for good; its history stays.", in: .care,
    details: [
      "The account is logged out, and its server told once; then its key is destroyed. What the log "
        + "says happened stays and can be verified; its personal data, secrets and saved credentials are gone: "
        + "`log` and `show` say \u{201C}forgotten\u{201D}. This cannot be undone. A new login of the "
        + "same user makes a new account.",
      "On a terminal the account's label, user or id is to be typed first.",
      "Copies of the book that `gatebook backup` and `archive` have made before still hold the key: they are listed, "
        + "and it is for you to destroy them. Copies by other means are not known to the book, and a disk "
        + "may keep what was overwritten or cut off in a file.",
    ],
    positionals: [account], options: [yes],
    exits: [.done, .failed, .usage, .damaged, .busy, .cannotOpen, .cancelled],
    example: "gatebook erase ada@portal.example")

  func run(_ call: Call) async throws -> ExitCode {
    let name = call.arguments[Self.account]
    try call.requireAccount(name, of: Self.help)
    let isSure = call.arguments.has(Self.yes)
    guard isSure || Terminal.isThere else {
      throw UsageError(
        "There is no terminal to ask on whether the account is to be erased.",
        remedy: "Give `--yes` if it is: nothing brings it back.")
    }
    let erasure = try await call.withBook { book in
      let context = try await call.account(name, in: book)
      if !isSure, context.state != .ended(.erased) { try Self.confirm(context, call.answers) }
      return try await book.erase(context.account)
    }
    if call.output.isJSON {
      call.output.json(ErasureRendering(erasure).json)
    } else {
      ErasureRendering(erasure).show(call.output)
    }
    return .done
  }

  private static func confirm(
    _ context: SessionContext, _ answers: Answers
  ) throws(GatebookError) {
    let name =
      context.label?.value ?? context.loginName.value
      ?? String(context.account.description.prefix(8))
    let answer = try answers.fromTerminal.text("Nothing brings it back. To erase it, type \(name)")
    guard answer == name else {
      throw GatebookError(
        .challengeCancelled, "That is not \u{201C}\(name)\u{201D}.",
        kept: "The account was not erased.", remedy: "Run the command again when you like.")
    }
  }
}
