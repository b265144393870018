internal import Gatebook

/// `gatebook recover`.
struct RecoverCommand: Command {
  private static let file = CommandOption.value(
    "-o", "FILE", "the new book: there must be no such file yet")

  static let help = Help(
    "recover", "Make a new book of what is still readable of a damaged one.", in: .care,
    details: [
      "The damaged book is only read; a file for its locks may be made beside it. Every event that is taken over is what it was: its hash says so. "
        + "The new book has the same identity, opens with the same key, and keeps the positions; a "
        + "lost event leaves a gap, which `verify` and `log` name.",
      "Sessions go on from what the damaged book knew of them. What is lost of secrets and keys is "
        + "told: those accounts have to log in again. Whether the secrets open is looked at where the key is at hand.",
      "The exit is 0 when a book was made, whatever is lost; 5 when too little is left for one. A copy "
        + "that is newer than the damage is better than a recovery.",
      "It is about the whole book, also with --account.",
    ],
    options: [file], exits: [.done, .failed, .usage, .damaged, .busy, .cannotOpen, .cancelled],
    example: "gatebook recover -o recovered.gatebook")

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
    show(try await recovery.recover(to: FilePath.whole(path)), call.output)
    return .done
  }

  @MainActor private func show(_ recovery: Recovery, _ output: Output) {
    guard !output.isJSON else { return output.json(json(recovery)) }
    let archived = recovery.archived.rawValue
    let summary =
      archived > 0
      ? "\(recovery.kept - archived) of the \(recovery.size - archived) events behind the archive, which has "
        + "\(archived), and the state that they go on from, are in the new book"
      : recovery.kept == 0
        ? "None of the \(recovery.size) events could be read; the accounts' last states are in the new book"
        : recovery.isWhole
          ? "All \(recovery.size) events are in the new book"
          : "\(recovery.kept) of \(recovery.size) events are in the new book"
    output.line(
      output.painted(
        Printable.text("\(summary) \(recovery.path)."), recovery.isWhole ? .good : .bad))
    for line in losses(recovery) { output.line("- " + line) }
    output.message(Self.advice)
  }

  private func losses(_ recovery: Recovery) -> [String] {
    var lines = recovery.lost.map { range in
      range.lowerBound == range.upperBound
        ? "The event at position \(range.lowerBound) is lost."
        : "The events \(range.lowerBound) to \(range.upperBound) are lost."
    }
    if !recovery.lost.isEmpty {
      lines.append("Names and labels that stood in them are shown as lost.")
    }
    if !recovery.hasEnd {
      lines.append("Where the log ended is lost: later events may be missing too.")
    }
    if !recovery.isProven {
      lines.append(
        "The tree could not go on: proofs and checkpoints begin anew at position \(recovery.size + 1)."
      )
    }
    if recovery.lostPages > 0 {
      lines.append(
        "Of the file \(recovery.lostPages) pages are lost, and what stood on them alone, such as where copies of "
          + "the book are, or logins that waited.")
    }
    if recovery.unknownAccounts > 0 {
      lines.append(
        recovery.unknownAccounts == 1
          ? "One account is lost whole: nothing tells any more which it was."
          : "\(recovery.unknownAccounts) accounts are lost whole: nothing tells any more which they were."
      )
    }
    lines += recovery.stale.map { "The state of account \($0) may not be its last one." }
    lines += recovery.withoutKey.map {
      "The key of account \($0) is lost: who it is and what it kept can never be opened. A login makes "
        + "a new account."
    }
    lines += recovery.withoutLookup.map {
      "No login leads to account \($0) any more: the next one of the same person makes a new account."
    }
    lines += recovery.withoutCredentials.map {
      "The saved credentials of account \($0) are lost: give them again."
    }
    lines += recovery.withoutSecret.map {
      "What the session of account \($0) lived by is lost: log in again."
    }
    if !recovery.hasOpenedSecrets {
      lines.append(
        "Whether what is sealed still opens is not known: the book's key is not at hand.")
    }
    return lines
  }

  private static let advice =
    "Look at it with `--book`, then put it in the place of the damaged one, with no program running "
    + "that has that open. Move `-wal`, `-shm` and `-reserve` away with the damaged one."

  private func json(_ recovery: Recovery) -> JSON {
    [
      "book": .text(recovery.path), "whole": .bool(recovery.isWhole),
      "size": .integer(recovery.size), "kept": .integer(recovery.kept),
      "lost": .list(
        recovery.lost.map {
          .list([.integer($0.lowerBound.rawValue), .integer($0.upperBound.rawValue)])
        }),
      "proven": .bool(recovery.isProven), "endKnown": .bool(recovery.hasEnd),
      "stale": .list(recovery.stale.map { .text($0.description) }),
      "pagesLost": .integer(recovery.lostPages),
      "accountsLost": .integer(recovery.unknownAccounts),
      "keysLost": .list(recovery.withoutKey.map { .text($0.description) }),
      "lookupsLost": .list(recovery.withoutLookup.map { .text($0.description) }),
      "credentialsLost": .list(recovery.withoutCredentials.map { .text($0.description) }),
      "secretsLost": .list(recovery.withoutSecret.map { .text($0.description) }),
      "secretsOpened": .bool(recovery.hasOpenedSecrets),
    ]
  }
}
