internal import Glibc

/// This program once more, in a new process that shares nothing with this one but files.
enum NewProcess {
  /// Runs it to its end.
  ///
  /// - Parameters:
  ///   - line: Its arguments.
  ///   - configuration: Its `$XDG_CONFIG_HOME`.
  ///   - columns: How wide the terminal is that it writes to.
  /// - Returns: How it ended and what it printed, errors included; `nil` when it did not start.
  static func run(
    _ line: [String], configuration: String, columns: Int
  ) -> (exit: Int32, output: String)? {
    guard let terminal = DemoTerminal(columns: columns) else { return nil }
    let process = start(line, configuration, output: terminal.program)
    terminal.handOver()
    guard let process else { return nil }
    var output = terminal.text()
    while output.hasSuffix("\n") { output.removeLast() }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return nil }
    }
    // WIFEXITED and WEXITSTATUS are macros: a signal leaves its number in the low seven bits.
    let exit = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    return (exit, output)
  }

  private static func start(
    _ line: [String], _ configuration: String, output: Int32
  ) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, output, 2)
    let attributes = SpawnAttributes()
    let environment = [
      "XDG_CONFIG_HOME=\(configuration)", "HOME=\(configuration)", "TZ=\(zone)", "TERM=dumb",
      "LD_LIBRARY_PATH=\(getenv("LD_LIBRARY_PATH").map { String(cString: $0) } ?? "")",
    ]
    return spawn(["gatebook"] + line, environment, actions, attributes.value)
  }

  private static var zone: String {
    getenv("TZ").map { String(cString: $0) } ?? ":/etc/localtime"
  }

  private static func spawn(
    _ line: [String], _ environment: [String], _ actions: posix_spawn_file_actions_t,
    _ attributes: posix_spawnattr_t
  ) -> pid_t? {
    let arguments = line.map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process = pid_t()
    var actions = actions
    var attributes = attributes
    let status = posix_spawn(
      &process, "/proc/self/exe", &actions, &attributes, arguments, variables)
    return status == 0 ? process : nil
  }
}
