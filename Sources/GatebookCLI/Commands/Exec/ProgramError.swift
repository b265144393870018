internal import GatebookSystem

/// A program that cannot be run, with the exit that shells have for it.
struct ProgramError: Error, Hashable, Sendable {
  /// What is wrong.
  let message: String
  /// What to do.
  let remedy: String
  /// 127 for a program that does not exist, otherwise 126.
  let exit: ExitCode

  /// Looks for a program as the system will, so that no token is requested for one that cannot run.
  ///
  /// - Parameters:
  ///   - name: Its path, or a name that is looked for in PATH.
  ///   - folders: The value of PATH; `nil` where it is not set.
  /// - Throws: It does not exist, or cannot be run.
  static func check(_ name: String, in folders: String?) throws(ProgramError) {
    let paths =
      name.contains("/")
      ? [name]
      : (folders ?? "/bin:/usr/bin").split(separator: ":", omittingEmptySubsequences: false)
        .map { "\($0.isEmpty ? "." : $0)/\(name)" }
    let found = name.isEmpty ? [] : paths.filter(Files.exists)
    guard !found.contains(where: { Files.isExecutable($0) && !Files.isFolder($0) }) else { return }
    let text = Printable.text(name)
    guard let path = found.first else {
      throw ProgramError(
        message: "The program `\(text)` does not exist"
          + (name.contains("/") ? "." : " in any folder of $PATH."),
        remedy: "Check its name after `--`.", exit: .notFound)
    }
    throw ProgramError(
      message: Files.isFolder(path)
        ? "`\(text)` is a folder, not a program." : "The program `\(text)` is not executable.",
      remedy: "Check its name after `--`, and its permissions.", exit: .notRunnable)
  }

  /// Why the system did not run a program.
  static func refused(_ name: String, _ error: SystemError) -> ProgramError {
    ProgramError(
      message: "The program `\(Printable.text(name))` cannot be run (\(error.text)).",
      remedy: "Run it without Gatebook to see what it needs.",
      exit: error == .missing ? .notFound : .notRunnable)
  }
}
