internal import Gatebook

/// `gatebook backup`.
struct BackupCommand: Command {
  private static let file = Positional("FILE", "where to write the copy")
  private static let force = CommandOption.flag("--force", "replace a file that exists")

  static let help = Help(
    "backup", "Write a verified copy of the book while programs use it.", in: .care,
    details: [
      "The copy is the book at one moment. Gatebook writes it next to its place, verifies "
        + "every event, syncs it, and then renames it. Only its owner can read it. A file that "
        + "exists is refused without --force; an archive, another book and an open book are "
        + "always refused.",
      "The copy opens with the book's own key. A key file and a keyring are not in it: keep "
        + "a copy of the key too, apart from the copy of the book.",
      "The copy holds the keys of all accounts. The book remembers it, and `gatebook erase` "
        + "names it.",
      "The copy is of the whole book, also with --account.",
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
