internal import Gatebook

/// `gatebook checkpoint`.
struct CheckpointCommand: Command {
  private static let file = CommandOption.value(
    "-o", "F", "write to this file and replace it if it exists; `-` is standard output")

  static let help = Help(
    "checkpoint", "Print the signed size and root of the book, to keep elsewhere.", in: .care,
    details: [
      "Keep it where nobody who can write the book can write. Only then can `verify --against` show "
        + "that events were removed or rewritten.",
      "It covers the whole book, also with --account, because one tree holds the events of all accounts.",
      "It signs the size and root that the book records, and does not check the events. If others can "
        + "write the book, run `gatebook verify` first.",
    ],
    options: [file],
    examples: ["gatebook checkpoint -o last.checkpoint", "gatebook checkpoint"])

  func run(_ call: Call) async throws -> ExitCode {
    guard let source = try call.keySource(mayAsk: true) else {
      throw GatebookError(
        .keyMissing, "A checkpoint is signed with the book's key.",
        remedy: "Leave out `--key none`.")
    }
    let reader = try BookReader.open(at: call.globals.book, key: source)
    _ = try call.namedAccount(reader)
    let note = try reader.checkpoint()
    // Somebody may have written since: the note says of how many events it is.
    let size = Int64(note.split(separator: "\n", maxSplits: 2).dropFirst().first ?? "") ?? 0
    guard let path = OutputFile.path(call.arguments[Self.file]) else {
      call.output.text(note)
      return .done
    }
    try call.checkOutput(path, reader)
    try TextFile.write(Array(note.utf8), to: path)
    call.output.message(
      Printable.text(
        "\(path): a checkpoint of \(Figure.text(size, "event", "events")). Keep it where nobody who can "
          + "write the book can write."))
    return .done
  }
}
