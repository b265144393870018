internal import Foundation
internal import Testing

/// A recipe of the article `Helpers.md`: its blocks of code as a reader copies them.
///
/// Only the names of the servers are replaced, as the article says, and with them their ports.
struct Recipe {
  let blocks: [String]

  /// Reads the recipe below a heading.
  init(_ heading: String, on servers: BearerServer) throws {
    let article = try String(
      contentsOfFile: TestServers.sources + "/Sources/Gatebook/Gatebook.docc/Helpers.md",
      encoding: .utf8)
    let start = try #require(article.range(of: "\n### \(heading)\n"), "no heading \(heading)")
    let rest = article[start.upperBound...]
    let end = rest.range(of: "\n##")?.lowerBound ?? rest.endIndex
    let text = try Self.replaced(String(rest[..<end]), servers)
    blocks = text.matches(of: /(?s)\n```[a-z]+\n(.*?)```\n/).map { String($0.output.1) }
    try #require(!blocks.isEmpty, "\(heading) has no block")
  }

  private static func replaced(_ text: String, _ servers: BearerServer) throws -> String {
    let names = try [
      ("https://api.example.com", "https://localhost:\(servers.port("web"))"),
      ("api.example.com", "localhost"), ("mail.example.com", "localhost"),
      ("port 465", "port \(servers.port("smtp"))"), ("Port 993", "Port \(servers.port("imap"))"),
    ]
    return names.reduce(text) { $0.replacing($1.0, with: $1.1) }
  }
}

/// Somebody's home where recipes are followed: logged in as `work`, with the programs on the path.
struct Kitchen {
  let servers: BearerServer
  let tool: GatebookTool

  /// Logs Alice in.
  init(_ authority: OAuth2Server, _ servers: BearerServer) throws {
    self.servers = servers
    tool = try GatebookTool()
    try tool.logIn(.alice, at: authority, by: "oidc", .password, ["--label", "work"])
  }

  /// Writes a file below the home.
  func write(_ text: String, to path: String, mode: Int = 0o600) throws {
    let file = URL(filePath: tool.home).appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
  }

  /// Runs commands in the home, as somebody does who pastes them.
  func run(
    _ commands: String, input: String = "", _ more: [String: String] = [:]
  ) throws -> ChildProcess {
    try ChildProcess.run(
      "sh", ["-e", "-c", "cd\n" + commands],
      environment: tool.environment.merging(environment) { $1 }.merging(more) { $1 }, input: input)
  }

  /// Each program has its own variable for what it trusts.
  private var environment: [String: String] {
    let programs = GatebookTool.program("gatebook").dropLast("/gatebook".count)
    var variables = ["PATH": "\(programs):/usr/bin:/bin"]
    for name in ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "AWS_CA_BUNDLE"] {
      variables[name] = servers.certificate
    }
    return variables
  }
}
