internal import Gatebook

/// `gatebook archive`.
struct ArchiveCommand: Command {
  private static let file = CommandOption.value(
    "-o", "FILE", "the archive; the file must not exist yet")

  static let help = Help(
    "archive", "Move the history into an archive; the book continues.",
    in: .care,
    details: [
      "The archive is the whole book as it is now, and never changes again. Every command "
        + "that reads works on it with `--book FILE`.",
      "The book continues with the same sessions, secrets and key. Nobody has to log in "
        + "again; running programs only see a shorter log. `log`, `why` and `--as-of` then "
        + "begin after the archive.",
      "A later archive holds what happened since the one before: keep them all. `verify --archive FILE` "
        + "shows that the book continues exactly where the archive ends. Protect the archive as you protect "
        + "the book: it holds the same encrypted keys.",
      "An interrupted command leaves the book as it was, or the archive is complete. `FILE-draft`, or "
        + "FILE itself, may remain with the same keys. The next `archive` to the same name removes such a "
        + "leftover.",
      "The archive holds the whole book, also with --account.",
    ],
    options: [file],
    examples: [
      "gatebook archive -o sessions-2026.gatebook",
      "gatebook archive --book team.gatebook -o team-2026.gatebook",
    ])

  func run(_ call: Call) async throws -> ExitCode {
    guard let path = call.arguments[Self.file] else {
      throw UsageError(
        "`archive` needs a file to write.", remedy: "Give `-o FILE`. See `gatebook help archive`.")
    }
    let progress = call.progress
    let archive = try await call.withBook(delivers: false) { book in
      _ = try await call.namedAccount(book)
      return try await book.archive(to: FilePath.whole(path)) { done, all in
        Task { @MainActor in progress.show("archiving: \(done) of \(all)") }
      }
    }
    progress.finish()
    show(archive, call.output)
    return .done
  }

  @MainActor private func show(_ archive: Archive, _ output: Output) {
    guard !output.isJSON else {
      return output.json([
        "archive": .text(archive.path), "first": .integer(archive.first.rawValue),
        "size": .integer(archive.end.rawValue),
        "root": .text(archive.root), "state": .text(archive.state),
        "position": .integer(archive.position.rawValue),
      ])
    }
    let isFirst = archive.first.rawValue == 1
    let events = Self.events(archive)
    output.line(
      output.painted(Printable.text("\(events) in the archive \(archive.path)."), .good))
    if !isFirst { output.line("Earlier events are in the earlier archives.") }
    output.line("root \(archive.root)")
    output.line("The book continues at position \(archive.position).")
    output.message(
      Printable.text(
        "`gatebook verify --archive \(ShellText.word(archive.path))` shows that both belong together. "
          + "Keep the archive\(isFirst ? "" : " and the earlier ones"): the book no longer holds these "
          + "events."))
  }

  private static func events(_ archive: Archive) -> String {
    let (first, end) = (archive.first.rawValue, archive.end.rawValue)
    guard first > 1 else { return end == 1 ? "1 event is" : "\(end) events are" }
    return first == end
      ? "The event at position \(first) is" : "The events \(first) to \(end) are"
  }
}
