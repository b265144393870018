internal import Foundation

/// A program that wants something of an account, in one of the ways that Gatebook offers.
struct AskingProgram {
  /// What it prints when all is well.
  enum Answer {
    /// The session's access token.
    case token
    /// The same, within Base64.
    case encodedToken
    /// Whom the server takes the request for.
    case person
  }

  /// What a failed test calls it.
  let name: String
  let program: String
  let words: [String]
  var input = ""
  var variables: [String: String] = [:]
  var answer = Answer.token

  private static func gatebook(
    _ words: String..., input: String = "", variables: [String: String] = [:],
    answer: Answer = .token
  ) -> AskingProgram {
    AskingProgram(
      name: "gatebook \(words.prefix(3).joined(separator: " "))", program: "gatebook", words: words,
      input: input, variables: variables, answer: answer)
  }

  /// One of each kind, about the server with the tokens itself.
  ///
  /// - Parameters:
  ///   - server: That server.
  ///   - socket: Where a `gatebook proxy` serves.
  ///   - runtime: A folder for the files of `gatebook exec`.
  /// - Returns: The programs.
  static func each(
    at server: OAuth2Server, proxy socket: String, runtime: String
  ) -> [AskingProgram] {
    let host = server.base.replacing("http://", with: "")
    let info = """
      {"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",\
      "spec":{"interactive":false}}
      """
    return [
      gatebook("credential", "git", "get", input: "protocol=http\nhost=\(host)\n\n"),
      AskingProgram(
        name: "docker", program: "docker-credential-gatebook", words: ["get"], input: host),
      AskingProgram(name: "pip", program: "keyring", words: ["get", server.base, "oauth2"]),
      AskingProgram(
        name: "uv", program: "keyring",
        words: ["--mode=creds", "--output=json", "get", server.base]),
      gatebook(
        "credential", "kubectl", "--account", "alice@127.0.0.1",
        variables: ["KUBERNETES_EXEC_INFO": info]),
      gatebook("token"),
      gatebook("token", "--format", "header"),
      gatebook("token", "--format", "netrc"),
      gatebook("token", "--format", "curl"),
      gatebook("token", "--format", "json"),
      gatebook("token", "--format", "xoauth2", answer: .encodedToken),
      gatebook("token", "--format", "exec-credential"),
      gatebook("token", "--format", "bazel"),
      gatebook(
        "exec", "--env", "API_TOKEN", "--", "sh", "-c", #"printf %s "$API_TOKEN""#),
      gatebook(
        "exec", "--file", "API_TOKEN_FILE", "--", "sh", "-c", #"cat "$API_TOKEN_FILE""#,
        variables: ["XDG_RUNTIME_DIR": runtime]),
      gatebook("exec", "--fd", "7", "--", "cat", "/dev/fd/7"),
      gatebook("request", "--fail", server.checkURL, answer: .person),
      AskingProgram(
        name: "curl at the proxy", program: "/usr/bin/curl",
        words: [
          "--silent", "--show-error", "--fail", "--max-time", "60", "--unix-socket", socket,
          server.checkURL.replacing(server.base, with: "http://localhost"),
        ], answer: .person),
    ]
  }

  /// Whether it gets nothing without the proxy.
  var isAtProxy: Bool { program.hasSuffix("curl") }

  /// Whether it printed what belongs to the account.
  func isRight(_ output: String, token: String) -> Bool {
    switch answer {
    case .token: output.contains(token)
    case .encodedToken:
      Data(base64Encoded: String(output.dropLast()))
        .map { String(decoding: $0, as: UTF8.self).contains(token) } == true
    case .person: output.contains("\"alice\"")
    }
  }
}

extension GatebookTool {
  /// Starts a program.
  ///
  /// - Parameters:
  ///   - asking: The program.
  ///   - agent: The socket of an agent; empty for none.
  /// - Returns: The program, which has its input.
  /// - Throws: Where it cannot be started.
  func start(_ asking: AskingProgram, agent: String = "") throws -> RunningTool {
    let path = asking.program.hasPrefix("/") ? asking.program : "\(home)/bin/\(asking.program)"
    let variables = programEnvironment.merging(asking.variables) { $1 }
      .merging(["GATEBOOK_AGENT": agent]) { $1 }
    let tool = try RunningTool(path, asking.words, environment: variables)
    tool.write(asking.input)
    tool.endInput()
    return tool
  }

  /// Starts an agent at a socket that takes calls when this returns.
  func startAgent(_ socket: String) throws -> RunningTool {
    let agent = try RunningTool(
      Self.program("gatebook"), ["agent", "--socket", socket], environment: environment)
    try agent.hear("The agent serves ")
    return agent
  }

  /// Starts a proxy at a socket that takes requests when this returns.
  func startProxy(_ socket: String) throws -> RunningTool {
    let proxy = try RunningTool(
      Self.program("gatebook"), ["proxy", "--socket", socket], environment: environment)
    try proxy.hear("Requests go to ")
    return proxy
  }
}
