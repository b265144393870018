internal import Gatebook
internal import GatebookSystem

/// `gatebook __man FOLDER`: asked by what installs or documents the program, and by no person.
struct ManPagesCommand: Command {
  private static let folder = Positional("FOLDER", "where the pages go; it must be there")

  static let help = Help(
    "__man", "Write the manual pages to a folder.", in: .care, positionals: [folder],
    examples: [], isAudit: true)

  /// Writes `gatebook.1`, and a page for each command, and prints their names.
  func run(_ call: Call) async throws -> ExitCode {
    let folder = try call.arguments.required(Self.folder)
    for page in ManPage.all(CommandTable.commands.map { $0.help }) {
      let path = "\(folder)/\(page.file)"
      try TextFile.write(Array(page.text.utf8), to: path)
      call.output.line(path)
    }
    return .done
  }
}
