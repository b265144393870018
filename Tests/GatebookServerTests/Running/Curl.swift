/// The program `curl`: asks a server without Gatebook.
enum Curl {
  static func run(_ arguments: [String]) throws -> ChildProcess {
    try ChildProcess.run(
      "curl", ["--silent", "--show-error", "--noproxy", "*", "--max-time", "20"] + arguments,
      environment: TestServers.environment)
  }

  /// The status alone, such as 401.
  static func status(_ arguments: [String]) throws -> Int? {
    Int(try run(["--output", "/dev/null", "--write-out", "%{http_code}"] + arguments).output)
  }
}
