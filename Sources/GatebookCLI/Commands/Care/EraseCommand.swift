internal import Gatebook

/// `gatebook erase`.
struct EraseCommand: Command {
  private static let yes = CommandOption.flag(
    "--yes", "do not ask; needed where there is no terminal")

  static let help = Help(
    "erase", "Destroy the personal data of an account for good; its history stays.", in: .care,
    details: [
      "Gatebook logs the account out, tells its server once, and then destroys the "
        + "account's key. The history stays and can be verified. Personal data, secrets and "
        + "saved credentials cannot be read again: `log` and `show` print "
        + "\u{201C}forgotten\u{201D}. This cannot be undone. A new login of the same user makes "
        + "a new account.",
      "On a terminal you type the account's label, user or id first.",
      "Backups and archives that Gatebook made before still hold the key. They are listed; destroy them "
        + "yourself. The book does not know other copies, and a disk may keep overwritten data.",
    ],
    positionals: [.account], options: [yes],
    examples: ["gatebook erase ada@portal.example", "gatebook erase work --yes"])

  func run(_ call: Call) async throws -> ExitCode {
    try call.requireAccount(of: Self.help)
    let isSure = call.arguments.has(Self.yes)
    guard isSure || Terminal.isThere else {
      throw UsageError(
        "There is no terminal to ask whether the account should be erased.",
        remedy: "To erase it without a question, add `--yes`. This cannot be undone.")
    }
    let (erasure, others) = try await call.withBook { book in
      let context = try await call.account(book)
      let others = try await book.accounts().filter { Self.isOfSameUser($0, context) }
      if !isSure, context.state != .ended(.erased) { try Self.confirm(context, call.answers) }
      return (try await book.erase(context.account), others)
    }
    if call.output.isJSON {
      call.output.json(erasure.json)
    } else {
      erasure.show(call.output)
    }
    for other in others {
      let client = other.client.map { " by the client \($0)" } ?? ""
      call.output.message(
        Printable.text(
          "The same user has another account there, \(AccountRendering.name(other))\(client). It is kept."
        ))
    }
    return .done
  }

  /// Whether another account is the same user's at the same server.
  private static func isOfSameUser(_ other: SessionContext, _ context: SessionContext) -> Bool {
    other.account != context.account && other.server == context.server
      && other.state != .ended(.erased) && other.loginName.value != nil
      && other.loginName.value == context.loginName.value
  }

  private static func confirm(
    _ context: SessionContext, _ answers: Answers
  ) throws(GatebookError) {
    let name =
      context.label?.value ?? context.loginName.value
      ?? String(context.account.description.prefix(8))
    let answer = try answers.fromTerminal.text(
      "This cannot be undone. To erase the account, type \(name)")
    guard answer == name else {
      throw GatebookError(
        .challengeCancelled, "That is not \u{201C}\(name)\u{201D}.",
        kept: "The account was not erased.", remedy: "Run the command again when you like.")
    }
  }
}
