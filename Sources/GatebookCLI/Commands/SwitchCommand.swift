internal import Gatebook

/// `gatebook switch`.
struct SwitchCommand: Command {
  private static let account = Positional(
    "A", "the account: label, id, beginning of id, user@host; else --account", isOptional: true)

  static let help = Help(
    "switch", "Make an account the current one.", in: .accounts,
    details: [
      "An account whose session has ended, by a logout or by its server, becomes the current one too: a message "
        + "says that it cannot be used. One whose session goes on but whose secret is missing is "
        + "refused, and the current one stays."
    ],
    positionals: [account],
    exits: [.done, .usage, .loginNeeded, .damaged, .busy, .cannotOpen, .cancelled],
    example: "gatebook switch work")

  func run(_ call: Call) async throws -> ExitCode {
    let name = call.arguments[Self.account]
    try call.requireAccount(name, of: Self.help)
    let (context, advice) = try await call.withBook { book in
      let context = try await book.switchAccount(
        to: try await call.account(name, in: book).account)
      let login = await NextLogin(context, in: book, options: call.givenPlace)
      // What cannot be read does not undo what was done.
      let isSaved = (try? await book.hasSavedLogin(context.account)) ?? false
      return (context, login.sentence(hasSavedLogin: isSaved))
    }
    call.output.account(context, isFull: false)
    if !context.state.isUsable {
      call.output.message(
        "It cannot be used: \(context.state.text). \(advice)")
    }
    return .done
  }
}
