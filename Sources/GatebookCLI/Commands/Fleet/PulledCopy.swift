internal import Gatebook
internal import GatebookFleet

/// A book of a fleet in a temporary file, for as long as one command reads it.
enum PulledCopy {
  /// The options that say which book of which fleet.
  static let options =
    [FleetPullCommand.branch, FleetArguments.fleet] + FleetArguments.trust
    + [Answers.standardInputOption]

  /// What is said of `--book` in the help of each command.
  static let names =
    "--book is the name of a machine here, or the id of a book or its first digits. It can be left out if "
    + "the fleet has only one book."

  /// Runs a command on a book of the fleet.
  ///
  /// - Parameters:
  ///   - command: The command, which only reads the book.
  ///   - call: The call; its `--book` names the book in the fleet.
  /// - Returns: The command's exit.
  /// - Throws: What pulling the book or the command throws. The file is then removed too.
  @MainActor static func run(_ command: some Command, _ call: Call) async throws -> ExitCode {
    let access = try FleetArguments.access(call, FleetArguments.fleet)
    let branch = try FleetPullCommand.branch(call)
    let folder = try TemporaryFolder(named: "gatebook-pulled")
    defer { folder.remove() }
    let path = "\(folder.path)/book"
    _ = try await FleetPullCommand.pull(
      call.arguments[GlobalOptions.bookOption], branch, access, to: path, call.progress)
    return try await command.run(call.reading(copy: path))
  }
}
