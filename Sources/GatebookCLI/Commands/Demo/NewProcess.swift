internal import GatebookSystem

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
    guard let terminal = PseudoTerminal(columns: columns) else { return nil }
    let process = start(line, configuration, output: terminal.program)
    terminal.handOver()
    guard let process else { return nil }
    var output = terminal.text()
    while output.hasSuffix("\n") { output.removeLast() }
    guard let end = process.wait() else { return nil }
    return (end.code, output)
  }

  private static func start(
    _ line: [String], _ configuration: String, output: Int32
  ) -> ChildProcess? {
    let zone = ThisProcess.environment("TZ") ?? ":/etc/localtime"
    let environment = [
      "XDG_CONFIG_HOME=\(configuration)", "HOME=\(configuration)", "TZ=\(zone)", "TERM=dumb",
      "LD_LIBRARY_PATH=\(ThisProcess.environment("LD_LIBRARY_PATH") ?? "")",
    ]
    return ChildProcess(
      "/proc/self/exe", ["gatebook"] + line, environment: environment,
      streams: [.nothing, .descriptor(output), .descriptor(output)])
  }
}
