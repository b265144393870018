internal import Gatebook
internal import GatebookSystem

/// `gatebook key move`.
struct KeyMoveCommand: Command {
  private static let place = Positional(
    "SOURCE",
    "`secret-service` (the desktop keyring), `file` (a key file at the usual place), `file:PATH`, "
      + "`passphrase`, or `automatic` (the keyring if available, else a key file)",
    words: [
      Positional.Word(text: "secret-service", note: "the desktop's keyring"),
      Positional.Word(text: "file", note: "a key file at the usual place"),
      Positional.Word(text: "passphrase", note: "a passphrase"),
      Positional.Word(text: "automatic", note: "the keyring if available, else a key file"),
    ])

  static let help = Help(
    "key move", "Move the book's master key to another place.", in: .care,
    details: [
      "The key itself does not change: running programs and checkpoints kept elsewhere stay "
        + "valid. The old place gives the key up only after the book was opened with the new "
        + "one. If the command is interrupted, the book opens with one of both; run the same "
        + "command again to finish the move. A key file that you named yourself is not removed, "
        + "because other books may use it. Copies of the key, such as in backups, still open "
        + "the book.",
      "A new passphrase is asked for, twice on a terminal, or is the next line of --password-stdin. If "
        + "the book has no passphrase yet, the file that $GATEBOOK_PASSPHRASE_FILE names may hold it. "
        + "Without a terminal, that file finishes an interrupted move.",
      "The key is the key of the whole book, also with --account.",
    ],
    positionals: [place], options: [Answers.standardInputOption],
    examples: ["gatebook key move secret-service", "gatebook key move passphrase"])

  func run(_ call: Call) async throws -> ExitCode {
    let choice = try Self.choice(try call.arguments.required(Self.place))
    let former = try BookReader.open(at: call.globals.book).keyDescription
    let reason = Locked<GatebookError?>(nil)
    let target = try source(choice, call, former, reason)
    let move = try await call.withBook(delivers: false) { book in
      _ = try await call.namedAccount(book)
      return try await book.moveKey(to: target)
    }
    show(move, reason.withLock { $0 }, call)
    guard let failure = move.unremoved else { return .done }
    call.output.report(ErrorReport.of(failure))
    return ExitCode(failure.code)
  }

  /// The places that a key can move to: `--key` knows all but the usual key file.
  private static func choice(_ text: String) throws(UsageError) -> KeyChoice? {
    if text == "file" { return nil }
    let choice: KeyChoice? = try? KeyChoice(text)
    guard let choice, choice != .none else {
      throw UsageError(
        "A key cannot be moved to that place.",
        remedy: "Give `secret-service`, `file`, `file:PATH`, `passphrase` or `automatic`.")
    }
    return choice
  }

  @MainActor private func source(
    _ choice: KeyChoice?, _ call: Call, _ former: KeyDescription, _ reason: Locked<GatebookError?>
  ) throws(UsageError) -> any KeySource {
    switch choice {
    case .secretService: return call.keyring
    case .file(let path): return KeyFile(path: FilePath.whole(path))
    case .passphrase:
      return call.newPassphrase(
        isFirst: former.source != "passphrase", isUnfinished: !former.formers.isEmpty)
    case .automatic:
      return AutomaticKey(
        folder: try call.keyFolder(), keyring: call.keyring,
        withoutKeyring: { why in reason.withLock { $0 = why } })
    // An automatic key without a keyring is a key file at the usual place.
    case nil, .some(.none): return AutomaticKey(folder: try call.keyFolder())
    }
  }

  @MainActor private func show(_ move: KeyMove, _ reason: GatebookError?, _ call: Call) {
    let output = call.output
    if output.isJSON {
      output.json([
        "from": .text(move.from), "to": .text(move.to), "moved": .bool(move.isMoved),
        "left": .list(move.leftovers.map(JSON.text)),
      ])
    } else if let reader = try? BookReader.open(at: call.globals.book) {
      let place = KeyPlace(reader, folder: call.surroundings.keyFolder)
      // A key file that was missing at its place may have been put there.
      let text =
        move.isMoved
        ? "The book's key is now \(place)."
        : "The book's key is \(place), as recorded in the book."
      output.line(output.painted(Printable.text(text), .good))
    }
    if let reason {
      output.message(
        Printable.text("The key is not in the desktop keyring: \(reason.message)"))
    }
    for path in move.leftovers {
      output.message(
        Printable.text(
          "The old key file was kept, because other books may use it. If none does, delete it: rm \(path)"
        ))
    }
  }
}

/// Where the master key of a book lives, in words that follow "its key is".
struct KeyPlace: CustomStringConvertible {
  /// The words.
  let description: String

  /// Takes the place from what the book recorded.
  ///
  /// - Parameters:
  ///   - reader: The book, opened after the last move of its key.
  ///   - folder: Where key files are that nobody has named; `nil` when that is not known.
  init(_ reader: BookReader, folder: String?) {
    switch reader.keySource {
    case "file":
      let name = "\(reader.id).key"
      let path = reader.keyDescription.parameters["path"]?.text
      description = path ?? folder.map { "\($0)/\(name)" } ?? "the key file \(name)"
    case "passphrase": description = "behind a passphrase"
    case "secret-service":
      description =
        "in the desktop keyring, as \u{201C}Gatebook: key of book \(reader.id)\u{201D}"
    default: description = "kept by another program (\(reader.keySource))"
    }
  }
}
