internal import Gatebook

/// `gatebook prove`.
struct ProveCommand: Command {
  private static let position = Positional("P", "the position of the event")
  private static let against = CommandOption.value(
    "--against", "CHECKPOINT",
    "prove it for this checkpoint, which was kept elsewhere, and without a key (default: for the book "
      + "as it is now)")

  static let help = Help(
    "prove", "Prove to somebody without the book that an event is in it.", in: .care,
    details: [
      "The proof holds the event, its path in the tree and a signed checkpoint. Personal data in it "
        + "stays encrypted. `verify-proof` checks it without the book, and so does any other program for "
        + "C2SP tlog-proof.",
      "The checkpoint is signed with the book's key. With --against no key is needed.",
      "With --account the event must belong to that account.",
    ],
    positionals: [position], options: [against, OutputFile.option],
    examples: [
      "gatebook prove 19 -o logout.tlog-proof", "gatebook prove 19 --against last.checkpoint",
    ])

  func run(_ call: Call) async throws -> ExitCode {
    let position = try EventPosition.read(try call.arguments.required(Self.position))
    let note = try TextFile.checkpoint(call.arguments[Self.against])
    let reader =
      note != nil
      ? try call.reader()
      : try call.keyedReader(
        "A proof for the book as it is now must be signed with the book's key.",
        remedy: "Leave out `--key none`, or give a checkpoint with `--against`.")
    _ = try EventPosition.event(at: position, call, reader)
    try EventPosition.refuseArchived(position, reader)
    try call.deliver(
      try reader.proof(of: position, against: note), of: reader,
      "a proof that event \(position) is in the book. `gatebook verify-proof` checks it.")
    return .done
  }
}
