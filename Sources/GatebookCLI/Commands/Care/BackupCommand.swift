internal import Gatebook

/// `gatebook backup`.
struct BackupCommand: Command {
  private static let file = Positional("FILE", "where the copy is to stand")
  private static let force = CommandOption.flag("--force", "replace a file that stands there")

  static let help = Help(
    "backup", "Write a verified copy of the book while others write.", in: .care,
    details: [
      "The copy is the book as it is at one moment. It is written beside its place, verified event by "
        + "event, synced, and only then put in place; only its owner can read it. A file that stands there "
        + "is refused without --force, an archive, another book and one that is open in any case.",
      "It opens with the book's own key: the same key file, keyring or passphrase. A key file and a keyring "
        + "are not in it: keep a copy of the key too, apart from it.",
      "It holds what the book holds now, the keys of all accounts included. The book remembers it, and "
        + "`gatebook erase` names it.",
      "It is about the whole book, also with --account.",
    ],
    positionals: [file], options: [force],
    exits: [.done, .failed, .usage, .damaged, .busy, .cannotOpen, .cancelled],
    examples: [
      "gatebook backup /media/disk/sessions.backup", "gatebook backup --force sessions.backup",
    ])

  func run(_ call: Call) async throws -> ExitCode {
    let path = try call.arguments.required(Self.file)
    let replaces = call.arguments.has(Self.force)
    let progress = call.progress
    let copy = try await call.withBook(delivers: false) { book in
      _ = try await call.namedAccount(book)
      try call.checkOutput(path, try BookReader.open(at: call.globals.book), isCopy: true)
      return try await book.backUp(to: path, replacing: replaces) { done, all in
        Task { @MainActor in progress.show("copying: \(done) of \(all) pages") }
      }
    }
    progress.finish()
    if call.output.isJSON {
      call.output.json(CopyRendering(copy).json)
    } else {
      call.output.line(
        call.output.painted(
          Printable.text(
            "The book was copied to \(copy.place.text): \(copy.events ?? 0) events, verified."),
          .good
        ))
      call.output.message(
        "It opens with the book's key: keep a copy of that too, apart from it. What is erased in the "
          + "book later stays in the copy.")
    }
    return .done
  }
}
