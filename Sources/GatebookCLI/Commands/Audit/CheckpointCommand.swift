internal import Gatebook

/// `gatebook checkpoint`.
struct CheckpointCommand: Command {
  static let help = Help(
    "checkpoint", "Print the signed size and root of the book, to keep elsewhere.", in: .care,
    details: [
      "Keep it where nobody who can write the book can write. Only then can `verify --against` show "
        + "that events were removed or rewritten.",
      "It covers the whole book, also with --account, because one tree holds the events of all accounts.",
      "It signs the size and root that the book records, and does not check the events. If others can "
        + "write the book, run `gatebook verify` first.",
    ],
    options: [OutputFile.option],
    examples: ["gatebook checkpoint -o last.checkpoint", "gatebook checkpoint"])

  func run(_ call: Call) async throws -> ExitCode {
    let reader = try call.keyedReader("A checkpoint is signed with the book's key.")
    _ = try call.namedAccount(reader)
    let note = try reader.checkpoint()
    // Somebody may have written since: the note says of how many events it is.
    let size = Int64(note.split(separator: "\n", maxSplits: 2).dropFirst().first ?? "") ?? 0
    try call.deliver(
      note, of: reader,
      "a checkpoint of \(Figure.text(size, "event", "events")). Keep it where nobody who can write "
        + "the book can write.")
    return .done
  }
}
