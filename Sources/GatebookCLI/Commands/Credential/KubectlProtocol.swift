internal import Gatebook

/// The protocol of Kubernetes' exec credential plugins: what is asked for in the environment, a
/// JSON object as the answer.
///
/// Source: the Kubernetes documentation, "Client Authentication (v1)", and "Input and output
/// formats" of "Authenticating".
struct KubectlProtocol: CredentialProtocol {
  let program = "kubectl"
  let mustHearOfNothing = false
  let nobody: String? =
    "No account of this book has an access token for the cluster. Log in with `--allow-origin URL` and "
    + "the URL of the cluster, then add `--account ACCOUNT` to the plugin's arguments."

  /// Reads `KUBERNETES_EXEC_INFO`; nothing is a person who tries the command.
  func question(_ input: [UInt8]) throws(CredentialFault) -> CredentialQuestion? {
    var question = CredentialQuestion(deed: .get)
    question.wantsToken = true
    question.place = TokenFormat.execVersions[0]
    guard !input.isEmpty else { return question }
    guard let object = JSONDocument.read(input)?.object, object["kind"]?.text == "ExecCredential"
    else { throw CredentialFault("KUBERNETES_EXEC_INFO is not an ExecCredential.") }
    guard let version = object["apiVersion"]?.text, TokenFormat.execVersions.contains(version)
    else {
      throw CredentialFault(
        "The kubeconfig asks for a version of ExecCredential that Gatebook does not know. It knows "
          + TokenFormat.execVersions.joined(separator: " and ") + ".")
    }
    question.place = version
    // Only with `provideClusterInfo: true`. `spec.interactive` says whether the terminal may be
    // used: it never is.
    if let server = object["spec"]?.object?["cluster"]?.object?["server"]?.text {
      guard let url = HTTPURL(server) else {
        throw CredentialFault("The kubeconfig's cluster has a server that is no URL.")
      }
      question.urls = [url]
    }
    return question
  }

  func answer(
    _ credential: HandedCredential, to question: CredentialQuestion
  ) throws(CredentialFault) -> [UInt8] {
    let token = try credential.text()
    do throws(GatebookError) {
      let answer = try TokenFormat.execCredential(
        token, expiresAt: credential.expiresAt, version: question.place)
      return answer.encoded + [UInt8(ascii: "\n")]
    } catch {
      throw CredentialFault(error.message)
    }
  }

  func refusal(_ reason: String?, _ exit: ExitCode) -> (output: [UInt8], exit: ExitCode) {
    ([], .failed)
  }
}
