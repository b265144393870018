internal import Gatebook

/// `gatebook backup`.
struct BackupCommand: Command {
  private static let file = Positional("FILE", "where to write the copy")
  private static let force = CommandOption.flag("--force", "replace a file that exists")

  static let help = Help(
    "backup", "Write a verified copy of the book while programs use it.", in: .care,
    details: [
      "The copy is the book at one moment. Gatebook writes it to a draft file, verifies every event, "
        + "syncs it, and then renames it. Only its owner can read it. An existing file is replaced only "
        + "with --force; an archive, another book and an open book never are.",
      "The copy opens with the book's own key, which is not in it. Back up the key too, in a different "
        + "place.",
      "The copy holds the keys of all accounts. The book remembers it, and `gatebook erase` "
        + "names it.",
      "The copy holds the whole book, also with --account.",
    ],
    positionals: [file], options: [force],
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
      call.output.json(copy.json)
    } else {
      call.output.line(
        call.output.painted(
          Printable.text(
            "The book was copied to \(copy.place.text): \(copy.events ?? 0) events, verified."),
          .good
        ))
      call.output.message(
        "It opens with the book's key: back up the key too, in a different place. Accounts that you "
          + "erase in the book later stay in the copy.")
    }
    return .done
  }
}
