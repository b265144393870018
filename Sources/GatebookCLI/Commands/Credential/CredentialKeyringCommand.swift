/// `gatebook credential keyring`.
struct CredentialKeyringCommand: Command {
  private static let operation = Positional(
    "OPERATION", "get, set or del",
    words: [
      .init(text: "get", note: "print the password or token"),
      .init(text: "set", note: "record that the server accepted it"),
      .init(text: "del", note: "say that the session is kept"),
    ])
  private static let service = Positional("SERVICE", "the URL of the index, or its host")
  private static let user = Positional("USER", "whose password", isOptional: true)
  private static let mode = CommandOption.choice(
    "--mode", KeyringProtocol.Mode.allCases.map(\.rawValue),
    "what get prints: the password, or the user name and the password (password)")
  private static let format = CommandOption.choice(
    "--output", KeyringProtocol.Format.allCases.map(\.rawValue), "how get prints it (plain)")

  static let help = Help(
    "credential keyring", "Answer pip and uv in the place of Python's keyring.", in: .use,
    details: [
      "pip and uv run a program named `keyring`. Make a link of that name to this program, in a folder "
        + "that is in PATH for them alone: other programs may want the real one.",
      "The user name is in the index's URL. Where a token takes the password's place, it is "
        + "`oauth2`, `__token__`, or what --token-user says.",
    ],
    positionals: [operation, service, user], options: [mode, format] + CredentialRun.options,
    examples: [
      "gatebook credential keyring get https://index.example/simple/ alice"
    ])

  func run(_ call: Call) async throws -> ExitCode {
    let arguments = call.arguments
    let keyring = KeyringProtocol(
      operation: try arguments.required(Self.operation),
      service: try arguments.required(Self.service), user: arguments[Self.user],
      mode: arguments.choice(Self.mode) ?? .password,
      format: arguments.choice(Self.format) ?? .plain)
    return try await CredentialRun(call, keyring).run { (run) throws in
      keyring.operation == "set" ? try run.input() : []
    }
  }
}
