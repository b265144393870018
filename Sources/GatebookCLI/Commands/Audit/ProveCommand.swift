internal import Gatebook

/// `gatebook prove`.
struct ProveCommand: Command {
  private static let position = Positional("P", "the position of the event")
  private static let against = CommandOption.value(
    "--against", "CHECKPOINT",
    "prove it for this checkpoint, which was kept elsewhere, and without a key (default: for the book "
      + "as it is now)")
  private static let file = CommandOption.value(
    "-o", "F", "write to this file and replace it if it exists; `-` is standard output")

  static let help = Help(
    "prove", "Prove to somebody without the book that an event is in it.", in: .care,
    details: [
      "The proof holds the event, its path in the tree and a signed checkpoint. Personal data in it "
        + "stays encrypted. `verify-proof` checks it without the book, and so does any other program for "
        + "C2SP tlog-proof.",
      "The checkpoint is signed with the book's key. With --against no key is needed.",
      "With --account the event must belong to that account.",
    ],
    positionals: [position], options: [against, file],
    examples: [
      "gatebook prove 19 -o logout.tlog-proof", "gatebook prove 19 --against last.checkpoint",
    ])

  func run(_ call: Call) async throws -> ExitCode {
    let position = try EventPosition.read(try call.arguments.required(Self.position))
    let note: String? =
      if let path = call.arguments[Self.against] {
        try TextFile.read(path, what: "checkpoint")
      } else { nil }
    let reader = try reader(call, needsKey: note == nil)
    if let named = try call.namedAccount(reader) {
      guard try reader.event(at: position)?.account == named.account else {
        throw EventPosition.foreign
      }
    }
    guard try reader.event(at: position) != nil else {
      throw try EventPosition.missing(position, reader)
    }
    try EventPosition.refuseArchived(position, reader)
    let proof = try reader.proof(of: position, against: note)
    guard let path = OutputFile.path(call.arguments[Self.file]) else {
      call.output.text(proof)
      return .done
    }
    try call.checkOutput(path, reader)
    try TextFile.write(Array(proof.utf8), to: path)
    call.output.message(
      Printable.text(
        "\(path): a proof that event \(position) is in the book. `gatebook verify-proof` checks it."
      ))
    return .done
  }

  @MainActor private func reader(_ call: Call, needsKey: Bool) throws -> BookReader {
    guard needsKey else { return try call.reader() }
    guard let key = try call.keySource(mayAsk: true) else {
      throw GatebookError(
        .keyMissing, "A proof for the book as it is now must be signed with the book's key.",
        remedy: "Leave out `--key none`, or give a checkpoint with `--against`.")
    }
    return try BookReader.open(at: call.globals.book, key: key)
  }
}
