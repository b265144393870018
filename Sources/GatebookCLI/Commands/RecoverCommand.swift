internal import Gatebook

/// `gatebook recover`.
struct RecoverCommand: Command {
  private static let file = CommandOption.value(
    "-o", "FILE", "the new book; the file must not exist yet")

  static let help = Help(
    "recover", "Make a new book from what is still readable of a damaged one.", in: .care,
    details: [
      "The damaged book is only read; a lock file may be created beside it. Every copied event agrees "
        + "with its own hash. Only the tree can show that nobody rewrote an event, and the command reports "
        + "which parts of the tree are lost. The new book has the same identity, key and positions. A lost "
        + "event leaves a gap, which `verify` and `log` name.",
      "Sessions continue from their state in the damaged book. The command reports lost secrets and "
        + "keys: those accounts have to log in again. If the key is available without a question, it also "
        + "checks that the secrets can be decrypted.",
      "The exit is 0 if a new book was made, whatever is lost, and 5 if too little is left for one. A "
        + "good backup is better than a recovery.",
      "It recovers the whole book, also with --account.",
    ],
    options: [file],
    examples: [
      "gatebook recover -o recovered.gatebook",
      "gatebook recover --book damaged.gatebook -o recovered.gatebook",
    ])

  func run(_ call: Call) async throws -> ExitCode {
    guard let path = call.arguments[Self.file] else {
      throw UsageError(
        "`recover` needs a file to write.", remedy: "Give `-o FILE`. See `gatebook help recover`.")
    }
    // A name can be told only where the damaged book still knows it.
    _ = try call.globals.account.map { _ in try call.namedAccount() }
    let recovery = BookRecovery(
      path: call.globals.book, program: call.program,
      key: try? call.keySource(mayAsk: call.globals.key != .automatic))
    let recovered = try await recovery.recover(to: FilePath.whole(path))
    // Nothing may be lost of a damaged book either: whether there was damage it tells itself.
    let wasWhole = recovered.isWhole ? await isWhole(call.globals.book) : false
    show(recovered, call.output, wasWhole: wasWhole)
    return .done
  }

  private func isWhole(_ path: String) async -> Bool {
    guard (try? BookReader.open(at: path).schemaProblems()) == [] else { return false }
    return (try? await BookVerifier(path: path).verify().ok) == true
  }

  @MainActor private func show(_ recovery: Recovery, _ output: Output, wasWhole: Bool) {
    guard !output.isJSON else { return output.json(json(recovery)) }
    output.line(
      output.painted(
        Printable.text("\(summary(recovery)) \(recovery.path)."), recovery.isWhole ? .good : .bad))
    for line in losses(recovery) { output.line("- " + line) }
    output.message(wasWhole ? Self.needless : Self.advice)
  }

  private func summary(_ recovery: Recovery) -> String {
    let (size, kept, archived) = (recovery.size, recovery.kept, recovery.archived.rawValue)
    let states =
      switch recovery.accounts {
      case 0: "no account state is"
      case 1: "the state of one account is"
      default: "the states of \(recovery.accounts) accounts are"
      }
    if archived > 0 {
      let behind =
        "\(kept - archived) of the \(size - archived) events after the archive of \(archived) events"
      return recovery.hasBeginning
        ? "\(behind), and the state that they continue from, are in the new book"
        : "\(behind) could be read; they and \(states) in the new book"
    }
    if kept == 0 { return "None of the \(size) events could be read; \(states) in the new book" }
    return recovery.isWhole
      ? (size == 1 ? "The only event is in the new book" : "All \(size) events are in the new book")
      : "\(kept) of \(size) events are in the new book"
  }

  private func losses(_ recovery: Recovery) -> [String] {
    let parts: [[String]] = [
      recovery.lost.map { range in
        range.lowerBound == range.upperBound
          ? "The event at position \(range.lowerBound) is lost."
          : "The events \(range.lowerBound) to \(range.upperBound) are lost."
      },
      present(!recovery.lost.isEmpty, "Names and labels in lost events are shown as “lost”."),
      present(
        !recovery.hasEnd,
        "The end of the log could not be found: later events may be missing too."),
      present(
        recovery.unreadFrames > 0,
        "\(recovery.unreadFrames) frames of the write-ahead log, from the first damaged one on, could "
          + "not be read. If a session was renewed there, its account may have to log in again."),
      present(
        !recovery.isProven,
        "The tree could not be continued. Proofs and checkpoints start again at position "
          + "\(recovery.size + 1)."),
      present(
        !recovery.hasBeginning,
        "The state that the book continued from was changed or is partly lost. Earlier counts are not "
          + "in the new book, and account data was copied as it was found. An archive may still hold "
          + "events that are reported as lost."),
      recovery.rewritten.map {
        "The events \($0.lowerBound) to \($0.upperBound) do not match the root that was stored for "
          + "them: one of them was rewritten, or the root is damaged."
      },
      present(
        recovery.lostPages > 0,
        (recovery.lostPages == 1
          ? "One page of the file is lost" : "\(recovery.lostPages) pages of the file are lost")
          + ", with everything that was only there, such as the list of backups or waiting logins."),
      present(
        recovery.unknownAccounts > 0,
        recovery.unknownAccounts == 1
          ? "One account is completely lost, and it is not known which one."
          : "\(recovery.unknownAccounts) accounts are completely lost, and it is not known which ones."
      ),
      recovery.stale.map { "The state of account \($0) may be out of date." },
      recovery.withoutState.map {
        "The state of account \($0) is lost, including its user. A login creates a new account."
      },
      recovery.withoutKey.map {
        "The key of account \($0) is lost: its user and its secrets can never be decrypted. A login "
          + "creates a new account."
      },
      recovery.withoutLookup.map {
        "The lookups of account \($0) are lost. The next login of its user creates a new account, or "
          + "fails if the book finds another user's account."
      },
      recovery.withoutCredentials.map {
        "The saved credentials of account \($0) are lost: log in and save them again."
      },
      recovery.withoutSecret.map {
        "The secret of the session of account \($0) is lost: log in again."
      },
      recovery.otherSecrets.map {
        "A secret of account \($0.account) cannot be decrypted: \($0.purpose)."
      },
      present(
        !recovery.hasOpenedSecrets,
        "The book's key was not available, so it was not checked whether encrypted data can be "
          + "decrypted."),
    ]
    return Array(parts.joined())
  }

  private func present(_ isTrue: Bool, _ line: String) -> [String] { isTrue ? [line] : [] }

  private static let needless =
    "The book is undamaged, as `gatebook verify` confirms. Keep using it and delete the new one: two "
    + "copies of one book would diverge."
  private static let advice =
    "Check the new book with `--book`. Then stop all programs that use the damaged one. Move it away "
    + "together with its `-wal`, `-shm` and `-reserve` files, and put the new book in its place."

  private func json(_ recovery: Recovery) -> JSON {
    let accountsLost = recovery.unknownAccounts + Int64(recovery.withoutState.count)
    let others = recovery.otherSecrets.map { secret -> JSON in
      ["account": .text(secret.account.description), "purpose": .text(secret.purpose)]
    }
    return [
      "book": .text(recovery.path), "whole": .bool(recovery.isWhole),
      "size": .integer(recovery.size), "kept": .integer(recovery.kept),
      "lost": .pairs(recovery.lost), "proven": .bool(recovery.isProven),
      "endKnown": .bool(recovery.hasEnd), "framesLost": .integer(recovery.unreadFrames),
      "beginningKept": .bool(recovery.hasBeginning),
      "rewritten": .pairs(recovery.rewritten), "stale": Self.ids(recovery.stale),
      "pagesLost": .integer(recovery.lostPages), "accountsLost": .integer(accountsLost),
      "statesLost": Self.ids(recovery.withoutState), "keysLost": Self.ids(recovery.withoutKey),
      "lookupsLost": Self.ids(recovery.withoutLookup),
      "credentialsLost": Self.ids(recovery.withoutCredentials),
      "secretsLost": Self.ids(recovery.withoutSecret), "otherSecretsLost": .list(others),
      "secretsOpened": .bool(recovery.hasOpenedSecrets),
    ]
  }

  private static func ids(_ accounts: [AccountID]) -> JSON {
    .list(accounts.map { .text($0.description) })
  }
}
