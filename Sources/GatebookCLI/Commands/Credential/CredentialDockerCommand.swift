/// `gatebook credential docker`.
struct CredentialDockerCommand: Command {
  private static let operation = Positional(
    "OPERATION", "get, list, store or erase; the program adds it",
    words: [
      .init(text: "get", note: "answer with a user name and a password or token"),
      .init(text: "list", note: "answer with the registries and their users"),
      .init(text: "store", note: "record that the registry accepted it"),
      .init(text: "erase", note: "say that the session is kept"),
    ])

  static let help = Help(
    "credential docker", "Answer docker, podman and skopeo as their credential helper.", in: .use,
    details: [
      "Set it up by a link named docker-credential-gatebook to this program, and by "
        + "`\"credHelpers\": {\"registry.example\": \"gatebook\"}` in ~/.docker/config.json. podman and "
        + "skopeo read the same from ~/.config/containers/auth.json.",
      "A login by docker saves nothing here. `docker logout` ends no session: it is recorded, and "
        + "Gatebook asks the server whether the session is still valid.",
    ],
    positionals: [operation], options: CredentialRun.options,
    examples: [
      "gatebook credential docker list"
    ])

  func run(_ call: Call) async throws -> ExitCode {
    let docker = DockerProtocol(operation: try call.arguments.required(Self.operation))
    return try await CredentialRun(call, docker).run { (run) throws in
      docker.operation == "list" ? [] : try run.input()
    }
  }
}
