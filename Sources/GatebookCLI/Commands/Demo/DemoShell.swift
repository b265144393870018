internal import Gatebook
internal import GatebookSystem

/// A shell in a throw-away folder: the commands of a demonstration run in it as they are shown.
@MainActor struct DemoShell {
  /// Its home, which it runs in too.
  let folder: String
  /// Where it finds programs: a link to this one, and those of the system.
  private let programs: [String]
  /// The variables that are set beside the usual ones.
  let variables: [String: String]

  /// Prepares a folder.
  ///
  /// - Parameters:
  ///   - folder: The folder; it is made where it is missing.
  ///   - programs: Further folders of programs.
  ///   - variables: The variables that are set.
  /// - Throws: `configuration.invalid` if the folder cannot be written.
  init(
    in folder: String, programs: [String] = [], variables: [String: String] = [:]
  ) throws(GatebookError) {
    self.folder = folder
    self.programs = ["\(folder)/bin"] + programs + ["/usr/bin", "/bin"]
    self.variables = variables
    Files.makeFolders(folder)
    guard Files.makeFolder("\(folder)/bin"),
      Files.symbolicLink("\(folder)/bin/gatebook", to: InstalledProgram.own)
    else {
      throw GatebookError(
        .configurationInvalid, "Gatebook could not prepare the folder \(folder).",
        remedy: "Free space there, then run it again.", cause: SystemError.last.text)
    }
  }

  /// Runs a line to its end.
  ///
  /// - Parameters:
  ///   - line: The line, as a person types it.
  ///   - columns: How wide the terminal is that it writes to.
  /// - Returns: How it ended and what it printed, errors included; `nil` when it did not start.
  func run(_ line: String, columns: Int) -> (exit: Int32, output: String)? {
    let usual = [
      "PATH": programs.joined(separator: ":"), "HOME": folder, "XDG_CONFIG_HOME": folder,
      "TERM": "dumb", "TZ": ThisProcess.environment("TZ") ?? ":/etc/localtime",
      "LD_LIBRARY_PATH": ThisProcess.environment("LD_LIBRARY_PATH") ?? "",
    ]
    let all = usual.merging(variables) { $1 }
    return NewProcess.run(
      "/bin/sh", ["sh", "-c", "cd \"$HOME\" || exit\n\(line)"],
      environment: all.map { "\($0)=\($1)" }, columns: columns)
  }
}
