internal import Gatebook

/// `gatebook checkpoint`.
struct CheckpointCommand: Command {
  private static let file = CommandOption.value(
    "-o", "F", "write it to this file, in the place of one that is there; `-` is standard output")

  static let help = Help(
    "checkpoint", "Print the book's size and root, signed, to be kept elsewhere.", in: .care,
    details: [
      "Keep it where nobody who can write the book can write: only then can `verify --against` show "
        + "that events were cut off or rewritten.",
      "It is the whole book's, also with --account: the accounts' events stand in one tree.",
      "It signs what the book's head counts, without looking at the events: of a book that others can "
        + "write, `gatebook verify` comes first.",
    ],
    options: [file], exits: [.done, .failed, .usage, .damaged, .cannotOpen],
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
        "\(path): a checkpoint of \(Figure.text(size, "event", "events")), to be kept elsewhere."))
    return .done
  }
}
