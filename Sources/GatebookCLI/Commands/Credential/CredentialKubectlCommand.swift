/// `gatebook credential kubectl`.
struct CredentialKubectlCommand: Command {
  static let help = Help(
    "credential kubectl", "Answer kubectl as its exec credential plugin.", in: .use,
    details: [
      "kubectl runs it as the kubeconfig says: `command: gatebook` with `args: [credential, kubectl]` "
        + "below `exec:` of a user. It gets the account's access token, and asks again when that "
        + "expires.",
      "With `provideClusterInfo: true` the token goes only to a cluster that is one of the account's "
        + "own servers: log in with `--allow-origin URL` for the cluster's URL. Without it the "
        + "kubeconfig alone decides where the token goes, and `--account` must name whose it is.",
    ],
    options: CredentialRun.options,
    examples: ["gatebook credential kubectl --account work"])

  func run(_ call: Call) async throws -> ExitCode {
    let info = call.surroundings["KUBERNETES_EXEC_INFO"] ?? ""
    return try await CredentialRun(call, KubectlProtocol()).run { _ in
      Array(info.utf8)
    }
  }
}
