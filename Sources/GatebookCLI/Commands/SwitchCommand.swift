internal import Gatebook

/// `gatebook switch`.
struct SwitchCommand: Command {
  static let help = Help(
    "switch", "Make an account the current one.", in: .accounts,
    details: [
      "An account whose session ended becomes the current one too; a message says that it "
        + "cannot be used. An account whose session continues but whose secret is missing is "
        + "refused, and the current account does not change."
    ],
    positionals: [.account],
    examples: ["gatebook switch work", "gatebook switch ada@portal.example"])

  func run(_ call: Call) async throws -> ExitCode {
    try call.requireAccount(of: Self.help)
    let (context, advice) = try await call.withBook { book in
      let context = try await book.switchAccount(
        to: try await call.account(book).account)
      let login = await NextLogin(context, in: book, options: call.givenPlace)
      // What cannot be read does not undo what was done.
      let isSaved = (try? await book.hasSavedLogin(context.account)) ?? false
      return (context, login.sentence(hasSavedLogin: isSaved))
    }
    call.output.success(context, "The current account is \(AccountRendering.person(context))")
    if !context.state.isUsable {
      call.output.message(
        "It cannot be used: \(context.state.text). \(advice)")
    }
    return .done
  }
}
