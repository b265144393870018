internal import Foundation
internal import Testing

/// As much of a Kubernetes API server on loopback as `kubectl get pods` asks for, over TLS.
final class KubeServer {
  let base: String
  private let process: ServerProcess

  /// One for a test alone, with the server that knows the tokens.
  static func own(tokensOf server: OAuth2Server) throws -> KubeServer {
    try KubeServer(ServerProcess(own: .kube, environment: ["TOKENS": server.base]))
  }

  private init(_ process: ServerProcess) throws {
    self.process = process
    base = try process.address("base")
  }

  /// The root that clients are to trust.
  var authority: String { process.folder + "/pki/ca.pem" }

  /// Answers the next request only when its token has ended.
  func holdOneAnswerUntilTheTokenEnds() throws {
    try Data().write(to: URL(filePath: process.folder + "/hold"))
  }

  /// A line of its log.
  struct Request {
    let path: String
    let status: Int
    /// The fingerprint of the token that was shown.
    let token: String?
  }

  /// All that it was asked for, in order; who has an answer finds its request here.
  func requests() throws -> [Request] {
    let log = try String(contentsOfFile: process.folder + "/access.log", encoding: .utf8)
    return try log.split(separator: "\n").map { line in
      let facts = try JSONObject(String(line))
      return Request(
        path: try #require(facts["path"]?.text), status: try #require(facts["status"]?.integer),
        token: facts["token"]?.text)
    }
  }

  /// What `kubectl` reads, with a plugin that it asks for a token in a version of the protocol.
  func configuration(plugin words: [String], version: String) -> String {
    let arguments = words.dropFirst().map { "\"\($0)\"" }.joined(separator: ", ")
    return """
      apiVersion: v1
      kind: Config
      current-context: here
      contexts: [{name: here, context: {cluster: here, user: gatebook}}]
      clusters: [{name: here, cluster: {server: "\(base)", certificate-authority: "\(authority)"}}]
      users:
      - name: gatebook
        user:
          exec:
            apiVersion: client.authentication.k8s.io/\(version)
            command: "\(words[0])"
            args: [\(arguments)]
            interactiveMode: Never
            provideClusterInfo: true

      """
  }
}
