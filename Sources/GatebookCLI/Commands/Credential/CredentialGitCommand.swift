/// `gatebook credential git`.
struct CredentialGitCommand: Command {
  private static let operation = Positional(
    "OPERATION", "get, store or erase; git adds it",
    words: [
      .init(text: "get", note: "answer with a user name and a password or token"),
      .init(text: "store", note: "record that the server accepted it"),
      .init(text: "erase", note: "record that the server rejected it, and ask the server"),
    ])
  private static let bearer = CommandOption.flag(
    "--bearer", "hand out a token for `Authorization: Bearer`, if git can send it (2.46 or newer)")

  static let help = Help(
    "credential git", "Answer git as its credential helper.", in: .use,
    details: [
      "Set it up by `git config --global credential.helper gatebook`: git then runs "
        + "`git-credential-gatebook`, which is this command. Options follow the name: "
        + "`credential.helper \"gatebook --account work\"`.",
      "Git gets the password or the access token of the account that belongs to the server. The user "
        + "name and the path that git names, and the realm, must fit. Without such an account git "
        + "asks its other helpers and then you. No operation ends a session.",
    ],
    positionals: [operation], options: [bearer] + CredentialRun.options,
    examples: ["gatebook credential git get --account work"])

  func run(_ call: Call) async throws -> ExitCode {
    let git = GitProtocol(
      operation: try call.arguments.required(Self.operation),
      prefersBearer: call.arguments.has(Self.bearer))
    return try await CredentialRun(call, git).run { (run) throws in
      try run.input(endsAtEmptyLine: true)
    }
  }
}
