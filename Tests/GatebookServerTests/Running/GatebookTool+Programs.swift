internal import Foundation
internal import Testing

/// Other programs that ask `gatebook` for what they show to their servers.
extension GatebookTool {
  /// The names by which other programs call `gatebook`.
  private static let names = [
    "gatebook", "git-credential-gatebook", "docker-credential-gatebook", "keyring",
  ]

  /// Puts `gatebook` on the path of other programs, by all of its names, and makes it the helper of
  /// `git`.
  func installForPrograms() throws {
    let bin = home + "/bin"
    try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
    for name in Self.names {
      try FileManager.default.createSymbolicLink(
        atPath: "\(bin)/\(name)", withDestinationPath: Self.program("gatebook"))
    }
    let settings = """
      [credential]
      \thelper =
      \thelper = gatebook
      [user]
      \tname = Test
      \temail = test@example.org
      [init]
      \tdefaultBranch = main

      """
    try settings.write(toFile: home + "/.gitconfig", atomically: true, encoding: .utf8)
  }

  /// That of the programs: nothing asks at a terminal, and nothing of the developer's own is read.
  var programEnvironment: [String: String] {
    var environment = environment
    environment["PATH"] = "\(home)/bin:/usr/bin:/bin"
    environment["XDG_CACHE_HOME"] = home + "/cache"
    environment["GIT_TERMINAL_PROMPT"] = "0"
    environment["GIT_CONFIG_NOSYSTEM"] = "1"
    return environment
  }

  /// Runs another program.
  func runProgram(
    _ program: String, _ arguments: [String], input: String = ""
  ) throws
    -> ChildProcess
  {
    try ChildProcess.run(program, arguments, environment: programEnvironment, input: input)
  }

  /// Runs another program that must succeed, and returns what it printed.
  @discardableResult
  func require(_ program: String, _ arguments: [String], input: String = "") throws -> String {
    let result = try runProgram(program, arguments, input: input)
    try #require(result.status == 0, "\(program) \(arguments): \(result.errors)")
    return result.output
  }

  /// The Python of the servers, beside which `uv` and `kubectl` lie too.
  func serversPython() throws -> String {
    let found = try ChildProcess.run(
      TestServers.sources + "/tools/servers/python", ["path"],
      environment: TestServers.environment)
    try #require(found.status == 0, "run tools/servers/python make")
    return String(found.output.dropLast())
  }
}
