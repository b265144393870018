internal import Gatebook

/// `gatebook verify-proof`.
struct VerifyProofCommand: Command {
  private static let file = Positional("F", "a file that `gatebook prove` wrote")
  private static let against = CommandOption.value(
    "--against", "CHECKPOINT",
    "a checkpoint of the book that was kept elsewhere: the same key must have signed both")

  static let help = Help(
    "verify-proof", "Check a proof that an event is in a book, without the book.", in: .care,
    details: [
      "A proof holds if the event leads to the root and the root is signed. The proof contains the key. "
        + "Only --against, or the book's first event, can show that it is the book's key.",
      "No book is opened; --account and --book are ignored.",
    ],
    positionals: [file], options: [against],
    examples: [
      "gatebook verify-proof logout.tlog-proof --against last.checkpoint",
      "gatebook verify-proof logout.tlog-proof",
    ], isAudit: true)

  func run(_ call: Call) async throws -> ExitCode {
    let text = try TextFile.read(try call.arguments.required(Self.file), what: "proof")
    let note = try TextFile.checkpoint(call.arguments[Self.against])
    let proof = try InclusionProof(text: text, against: note)
    let output = call.output
    let object = JSON.present([
      "ok": .bool(true), "book": .text(proof.book.description), "size": .integer(proof.size),
      "root": .text(proof.root), "key": .text(proof.publicKey),
      "level": .text(note == nil ? "self" : "checkpoint"),
      "event": EventRendering.json(proof.event),
    ])
    guard !output.tells(programs: [object]) else { return .done }
    output.line(
      output.painted("The event is in the book, at position \(proof.event.position).", .good))
    let names = AccountNames([])
    output.lines(EventRendering.lines(proof.event, names: names, output.times))
    output.line("book      \(proof.book), \(proof.size) events when it was signed")
    output.line("root      \(proof.root)")
    output.line("key       \(proof.publicKey)")
    if note == nil {
      output.message(
        "The proof does not show that this is the book's key. To check that, give a checkpoint kept "
          + "elsewhere with `--against`, or compare the key with the book's first event.")
    }
    return .done
  }
}
