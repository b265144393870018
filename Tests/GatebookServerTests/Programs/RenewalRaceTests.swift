internal import Foundation
internal import Testing

/// Many programs ask for an expired session at once, at a server that ends a whole family of tokens
/// when one that was spent comes again.
@Suite(.enabled(if: TestServers.areRunning, TestServers.reason))
struct RenewalRaceTests {
  private let gatebook: GatebookTool

  init() throws {
    gatebook = try GatebookTool()
    try gatebook.installForPrograms()
  }

  /// What a program asks a helper for, in its own protocol.
  struct Question {
    let program: String
    let words: [String]
    var input = ""
    var variables: [String: String] = [:]
  }

  /// One question in each way, about the server with the tokens itself.
  private func questions(at server: OAuth2Server) -> [Question] {
    let host = server.base.replacing("http://", with: "")
    let execInfo = """
      {"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",\
      "spec":{"interactive":false}}
      """
    return [
      Question(
        program: "gatebook", words: ["credential", "git", "get"],
        input: "protocol=http\nhost=\(host)\n\n"),
      Question(program: "docker-credential-gatebook", words: ["get"], input: host),
      Question(program: "keyring", words: ["get", server.base, "oauth2"]),
      Question(program: "keyring", words: ["--mode=creds", "--output=json", "get", server.base]),
      Question(
        program: "gatebook", words: ["credential", "kubectl"],
        variables: ["KUBERNETES_EXEC_INFO": execInfo]),
      Question(program: "gatebook", words: ["token"]),
      Question(program: "gatebook", words: ["token", "--json"]),
      Question(program: "gatebook", words: ["request", "--fail", server.checkURL]),
    ]
  }

  @Test func `128 programs of eight kinds share one renewal, and nobody is logged out`() throws {
    let server = try OAuth2Server.own(["ACCESS_TTL": "1"])
    try gatebook.logIn(.alice, at: server)
    try server.setAccessLifetime(600)
    try gatebook.waitForEndOfAccess(of: .alice, at: server)
    let before = try gatebook.kinds().count
    let questions = questions(at: server)
    let asking = try (0..<128).map { number in
      let question = questions[number % questions.count]
      return (question, try start(question))
    }
    let endings = try asking.map { ($0, try $1.end()) }
    let token = try gatebook.token()
    for (question, ending) in endings {
      let name = "\(question.program) \(question.words)"
      #expect(ending.status == 0, "\(name): \(ending.errors)")
      let answer = question.words.first == "request" ? "\"alice\"" : token
      #expect(ending.output.contains(answer), "\(name): no token of this session")
    }
    #expect(try server.refreshes(answered: true).map(\.status) == [200])
    let kinds = try gatebook.kinds(after: before)
    #expect(kinds.count { $0 == "refresh.started" } == 1)
    #expect(kinds.count { $0 == "refresh.succeeded" } == 1)
    #expect(Set(kinds) == ["refresh.started", "refresh.succeeded", "session.verified"])
    #expect(try gatebook.object(["whoami"])["state"]?.text == "active")
    #expect(try server.liveTokens(of: .alice) == (access: 1, refresh: 1))
    #expect(try gatebook.user(at: server) == "alice")
  }

  private func start(_ question: Question) throws -> RunningTool {
    let tool = try RunningTool(
      gatebook.home + "/bin/" + question.program, question.words,
      environment: gatebook.programEnvironment.merging(question.variables) { $1 })
    tool.write(question.input)
    tool.endInput()
    return tool
  }
}
