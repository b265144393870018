internal import Gatebook

/// `gatebook recover`.
struct RecoverCommand: Command {
  private static let file = CommandOption.value(
    "-o", "FILE", "the new book: there must be no such file yet")

  static let help = Help(
    "recover", "Make a new book of what is still readable of a damaged one.", in: .care,
    details: [
      "The damaged book is only read; a file for its locks may be made beside it. Every event that is taken over agrees with its own hash; that nobody wrote it anew, only the tree tells: what of it is lost is told. "
        + "The new book has the same identity, opens with the same key, and keeps the positions; a "
        + "lost event leaves a gap, which `verify` and `log` name.",
      "Sessions go on from what the damaged book knew of them. What is lost of secrets and keys is "
        + "told: those accounts have to log in again. Whether the secrets open is looked at where the key is at hand.",
      "The exit is 0 when a book was made, whatever is lost; 5 when too little is left for one. A copy "
        + "that is newer than the damage is better than a recovery.",
      "It is about the whole book, also with --account.",
    ],
    options: [file], exits: [.done, .failed, .usage, .damaged, .busy, .cannotOpen, .cancelled],
    examples: [
      "gatebook recover -o recovered.gatebook",
      "gatebook recover --book damaged.gatebook -o recovered.gatebook",
    ])

  func run(_ call: Call) async throws -> ExitCode {
    guard let path = call.arguments[Self.file] else {
      throw UsageError(
        "`recover` needs a file.", remedy: "Give `-o FILE`. See `gatebook help recover`.")
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
      case 0: "no account's state is"
      case 1: "the state of one account is"
      default: "the states of \(recovery.accounts) accounts are"
      }
    if archived > 0 {
      let behind =
        "\(kept - archived) of the \(size - archived) events behind the archive, which has \(archived),"
      return recovery.hasBeginning
        ? "\(behind) and the state that they go on from, are in the new book"
        : "\(behind) are there; \(states) in the new book"
    }
    if kept == 0 { return "None of the \(size) events could be read; \(states) in the new book" }
    return recovery.isWhole
      ? (size == 1 ? "The only event is in the new book" : "All \(size) events are in the new book")
      : "\(kept) of \(size) events are in the new book"
  }

  private func losses(_ recovery: Recovery) -> [String] {
    var lines = recovery.lost.map { range in
      range.lowerBound == range.upperBound
        ? "The event at position \(range.lowerBound) is lost."
        : "The events \(range.lowerBound) to \(range.upperBound) are lost."
    }
    if !recovery.lost.isEmpty {
      lines.append("Names and labels in them are shown as lost.")
    }
    if !recovery.hasEnd {
      lines.append("Where the log ended is lost: later events may be missing too.")
    }
    if recovery.unreadFrames > 0 {
      lines.append(
        "Of the write-ahead log \(recovery.unreadFrames) frames, from a damaged one on, were not read: a "
          + "secret that was renewed in them is lost, and its account, whose former one may be used up, may "
          + "have to log in again.")
    }
    if !recovery.isProven {
      lines.append(
        "The tree could not go on: proofs and checkpoints begin anew at position \(recovery.size + 1)."
      )
    }
    if !recovery.hasBeginning {
      lines.append(
        "What the book began with was changed, or is lost in part: what was counted before its first event "
          + "is not taken over, what its accounts are is taken as it stood there, and an archive may have "
          + "events that are told as lost.")
    }
    lines += recovery.rewritten.map {
      "The events \($0.lowerBound) to \($0.upperBound) do not make the root that was kept of them: one of "
        + "them was rewritten, or the root is damaged."
    }
    if recovery.lostPages > 0 {
      lines.append(
        recovery.lostPages == 1
          ? "One page of the file is lost, and what stood on it alone, such as where copies of the book are, or "
            + "logins that waited."
          : "\(recovery.lostPages) pages of the file are lost, and what stood on them alone, such as where copies "
            + "of the book are, or logins that waited.")
    }
    if recovery.unknownAccounts > 0 {
      lines.append(
        recovery.unknownAccounts == 1
          ? "One account is lost whole: nothing says which it was."
          : "\(recovery.unknownAccounts) accounts are lost whole: nothing says which they were."
      )
    }
    lines += recovery.stale.map { "The state of account \($0) may not be its last one." }
    lines += recovery.withoutState.map {
      "The state of account \($0) is lost, and with it who it is. A login makes a new account."
    }
    lines += recovery.withoutKey.map {
      "The key of account \($0) is lost: who it is and what it kept can never be opened. A login makes "
        + "a new account."
    }
    lines += recovery.withoutLookup.map {
      "No login finds account \($0): the next login of the same user makes a new account, or is "
        + "refused where the book leads to another's."
    }
    lines += recovery.withoutCredentials.map {
      "The saved credentials of account \($0) are lost: give them again."
    }
    lines += recovery.withoutSecret.map {
      "The secret of the session of account \($0) is lost: log in again."
    }
    lines += recovery.otherSecrets.map {
      "A secret of account \($0.account) cannot be decrypted: \($0.purpose)."
    }
    if !recovery.hasOpenedSecrets {
      lines.append(
        "Whether what is sealed still opens is not known: the book's key is not at hand.")
    }
    return lines
  }

  private static let needless =
    "Nothing was wrong with the book: `gatebook verify` finds it whole. Go on with it, and take the new one "
    + "away: two books of one identity would go different ways."
  private static let advice =
    "Look at it with `--book`, then put it in the place of the damaged one, with no program running "
    + "that has that open. Move `-wal`, `-shm` and `-reserve` away with the damaged one."

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
