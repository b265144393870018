internal import Foundation
internal import Testing

/// The real `kubectl` at a server over TLS, with `gatebook credential kubectl` as its plugin.
@Suite(.enabled(if: TestServers.areRunning, TestServers.reason))
struct KubectlTests {
  private let gatebook: GatebookTool

  init() throws {
    gatebook = try GatebookTool()
    try gatebook.installForPrograms()
  }

  /// A client, and the version of the plugins' protocol in its configuration.
  struct Client: CustomStringConvertible {
    let program: String
    let version: String

    var description: String { version }

    /// Debian's knows `v1beta1` alone, and a newer one `v1`.
    static func all(_ gatebook: GatebookTool) throws -> [Client] {
      let debian = try ChildProcess.run(
        TestServers.sources + "/tools/servers/debian", ["path", "kubectl"],
        environment: TestServers.environment)
      try #require(debian.status == 0, "run tools/servers/debian make")
      let newer = URL(filePath: try gatebook.serversPython()).deletingLastPathComponent()
      return [
        Client(program: String(debian.output.dropLast()), version: "v1beta1"),
        Client(program: newer.appending(path: "kubectl").path, version: "v1"),
      ]
    }
  }

  @Test func `each kubectl gets a token in the version that it asks for`() throws {
    let server = try OAuth2Server.own()
    let kube = try KubeServer.own(tokensOf: server)
    try logIn(at: server, for: kube)
    for client in try Client.all(gatebook) {
      let pods = try get(client, kube)
      #expect(pods.status == 0, "\(client): \(pods.errors)")
      #expect(pods.output.contains("pod-of-alice"), "\(client)")
    }
    let token = try OAuth2Server.fingerprint(of: gatebook.token())
    #expect(try kube.requests().allSatisfy { $0.status == 200 && $0.token == token })
  }

  @Test func `a token that ends while kubectl runs is replaced by the next one`() throws {
    let server = try OAuth2Server.own(["ACCESS_TTL": "2"])
    let kube = try KubeServer.own(tokensOf: server)
    try logIn(at: server, for: kube)
    for client in try Client.all(gatebook) {
      _ = try gatebook.object(["refresh"])
      let asked = try kube.requests().count
      let renewed = try server.refreshes(answered: true).count
      try kube.holdOneAnswerUntilTheTokenEnds()
      let pods = try get(client, kube)
      #expect(pods.status == 0, "\(client): \(pods.errors)")
      #expect(pods.output.contains("pod-of-alice"), "\(client)")
      let requests = try kube.requests().dropFirst(asked)
      #expect(requests.allSatisfy { $0.status == 200 }, "\(client)")
      #expect(Set(requests.map(\.token)).count > 1, "\(client)")
      #expect(try server.refreshes(answered: true).count > renewed, "\(client)")
    }
  }

  @Test func `an account that is logged out gives kubectl nothing`() throws {
    let server = try OAuth2Server.own()
    let kube = try KubeServer.own(tokensOf: server)
    try logIn(at: server, for: kube)
    _ = try gatebook.object(["logout"])
    for client in try Client.all(gatebook) {
      let pods = try get(client, kube)
      #expect(pods.status != 0, "\(client)")
      #expect(pods.output.isEmpty, "\(client)")
    }
    #expect(try kube.requests().isEmpty)
  }

  private func logIn(at server: OAuth2Server, for kube: KubeServer) throws {
    try gatebook.logIn(.alice, at: server, by: "oidc", .password, ["--allow-origin", kube.base])
  }

  private func get(_ client: Client, _ kube: KubeServer) throws -> ChildProcess {
    // What is found out about a server is kept for ten minutes, and would not be asked for again.
    try? FileManager.default.removeItem(atPath: gatebook.home + "/.kube")
    let file = gatebook.home + "/kube-config"
    let words = ["gatebook", "credential", "kubectl", "--account", "alice@127.0.0.1"]
    try kube.configuration(plugin: words, version: client.version)
      .write(toFile: file, atomically: true, encoding: .utf8)
    return try gatebook.runProgram(client.program, ["--kubeconfig", file, "get", "pods"])
  }
}
