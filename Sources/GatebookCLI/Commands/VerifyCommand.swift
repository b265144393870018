internal import Gatebook

/// `gatebook verify`.
struct VerifyCommand: Command {
  private static let against = CommandOption.value(
    "--against", "CHECKPOINT", "a file that `gatebook checkpoint` wrote and that was kept elsewhere"
  )

  private static let archive = CommandOption.value(
    "--archive", "FILE", "the archive that the book continues: it is checked too")

  static let help = Help(
    "verify", "Check that no event was changed, removed or added.", in: .care,
    details: [
      "Gatebook computes every hash again. Without a checkpoint the book can only agree "
        + "with itself: only a checkpoint kept elsewhere can show that events were removed from "
        + "its end, or rewritten together with their hashes.",
      "If the book's key is available without a question, `verify` also decrypts what no "
        + "hash covers: the keys, secrets and documents of accounts. It compares the lookups of "
        + "accounts with the lists that their logins wrote. One line says what was checked.",
      "The index of kinds and times is compared with the events. `gatebook rebuild` makes a "
        + "wrong index again.",
      "A book that continues an archive holds the events after it. That nothing before them "
        + "was changed shows only with --archive.",
      "With --account the whole book is checked too, because one tree holds all events. "
        + "Then the command also checks that no number is missing among the account's events, "
        + "and says how many they are.",
    ],
    options: [against, archive],
    exits: [.done, .failed, .usage, .damaged, .cannotOpen, .cancelled],
    exitNotes: [
      (
        .damaged,
        "also: the checkpoint of --against does not fit, or nothing could be compared with it"
      )
    ],
    examples: ["gatebook verify --against last.checkpoint --json", "gatebook verify"], isAudit: true
  )

  func run(_ call: Call) async throws -> ExitCode {
    let note: String? =
      if let path = call.arguments[Self.against] {
        try TextFile.read(path, what: "checkpoint")
      } else { nil }
    let account = try await call.namedID { try call.namedAccount() }
    let progress = call.progress
    let verifier = BookVerifier(path: call.globals.book)
    let verdict = try await verifier.verify(
      against: note, archive: call.arguments[Self.archive], account: account,
      key: try call.keySourceUnasked()
    ) { done, all in
      Task { @MainActor in progress.show("verifying: \(done) of \(all) events") }
    }
    progress.finish()
    // No key is needed for that either, and none is asked for.
    let isArchive =
      !verdict.ok && (try? BookReader.open(at: call.globals.book).isArchive()) == true
    show(verdict, isArchive: isArchive, call)
    return verdict.ok ? .done : .damaged
  }

  private func archived(_ position: Position) -> JSON? {
    position == .start ? nil : .integer(position.rawValue)
  }

  /// Says what of the past was not checked here, or was with its archive.
  @MainActor private func showPast(_ verdict: Verdict, _ output: Output) {
    guard let past = verdict.continuation else { return }
    if let recovered = RecoveredPast(past) {
      output.line("It was recovered from a damaged book. What the recovery found:")
      for line in recovered.lines { output.line(line) }
    }
    guard past.archived > .start else { return }
    if let archive = verdict.archive {
      output.line(
        "Events 1 to \(past.archived) are in the archive, which agrees with itself and the book.")
      if archive.hasSameState == false {
        output.line(
          "Another version of Gatebook made the state that the book goes on from: its accounts and sessions "
            + "are those that the archive holds, and were not made anew from its events.")
      }
      if let recovered = RecoveredPast(archive.continuation) {
        output.line("The archive was recovered from a damaged book. What the recovery found:")
        for line in recovered.lines { output.line(line) }
      }
    } else {
      output.line(
        "Events 1 to \(past.archived) are in an archive, which was not given: their root is taken as "
          + "the book says.")
    }
  }

  @MainActor private func show(_ verdict: Verdict, isArchive: Bool, _ call: Call) {
    let output = call.output
    let sealed = SealedRendering(verdict, isKeyNamed: call.globals.key != .none)
    guard !output.isJSON else {
      let members: [(String, JSON?)] =
        [
          ("ok", .bool(verdict.ok)), ("size", .integer(verdict.size)),
          ("root", .text(verdict.root)), ("level", .text(verdict.level.rawValue)),
          ("covered", verdict.covered.map(JSON.integer)),
          ("firstBad", verdict.firstBad.map { .integer($0.rawValue) }),
          ("problems", .list(verdict.problems.map(JSON.text))),
          ("logWhole", verdict.ok ? nil : .bool(verdict.isLogWhole)), ("sealed", sealed.json),
          ("account", verdict.stream.map { .text($0.account.description) }),
          ("events", verdict.stream.map { .integer($0.events) }),
          ("archived", verdict.continuation.flatMap { archived($0.archived) }),
        ] + (RecoveredPast(verdict.continuation)?.members ?? [])
      let archive = verdict.archive.map { archive in
        JSON.members(
          [
            ("size", .integer(archive.size)), ("root", .text(archive.root)),
            ("sameState", archive.hasSameState.map(JSON.bool)),
          ]
            + (RecoveredPast(archive.continuation)?.members ?? []))
      }
      return output.json(.members(members + [("archive", archive)]))
    }
    guard verdict.ok else {
      output.line(
        output.painted(
          Self.fault(verdict), .bad))
      let width = output.columns
      for line in WrappedText.paragraph("", Self.rest(verdict), width: width) { output.line(line) }
      for problem in verdict.problems {
        for line in WrappedText.paragraph("- ", Printable.text(problem), width: width) {
          output.line(line)
        }
      }
      for line in WrappedText.paragraph("", sealed.line, width: width) { output.line(line) }
      return output.message(
        WrappedText.paragraph("", Self.remedy(verdict, isArchive), width: width)
          .joined(separator: "\n"))
    }
    let count = "\(verdict.present) \(verdict.present == 1 ? "event" : "events")"
    output.line(output.painted("\(Self.agreement(verdict)): \(count).", .good))
    showPast(verdict, output)
    if let stream = verdict.stream {
      let share = stream.events == 1 ? "1 of them is" : "\(stream.events) of them are"
      output.line("\(share) the account's; none of their numbers is missing.")
    }
    output.line("root \(verdict.root)")
    output.line(sealed.line)
    if let covered = verdict.covered, covered < verdict.size {
      output.line(
        "The checkpoint was made of the events up to \(covered): the events after them agree with the book alone."
      )
    }
    if verdict.level == .itself {
      output.message(
        "Only a checkpoint kept elsewhere can show that events were removed from the end: see `gatebook help checkpoint`."
      )
    }
  }

  /// What a whole book agrees with.
  private static func agreement(_ verdict: Verdict) -> String {
    switch (verdict.level, verdict.isWhollyCovered) {
    case (.itself, _): "The book agrees with itself"
    case (.checkpoint, true): "The book agrees with itself and with the checkpoint"
    case (.checkpoint, false):
      "The book agrees with itself, and with the checkpoint as far as that covers it"
    }
  }

  /// What is wrong, in one sentence.
  private static func fault(_ verdict: Verdict) -> String {
    if verdict.isUncovered {
      return "The book agrees with itself, and nothing in it could be compared with the checkpoint."
    }
    if verdict.isVaultAtFault {
      return "The log agrees with itself, but encrypted data beside it was changed."
    }
    return verdict.isArchiveAtFault
      ? "The book agrees with itself, and not with the archive."
      : "The book is damaged or was tampered with."
  }

  /// What of a damaged book can still be relied on.
  private static func rest(_ verdict: Verdict) -> String {
    if let bad = verdict.firstBad {
      guard bad.rawValue > 1 else {
        return "It is bad from its first position on: nothing in it is proven."
      }
      return
        "The first bad position is \(bad). The events before it agree with their hashes; nothing from "
        + "\(bad) on is proven."
    }
    guard verdict.agreesWithRoot else {
      return
        "Each event agrees with its own hash, but together they are not those that were signed or "
        + "counted before: which of them were changed cannot be told."
    }
    let agreement =
      verdict.present == 1
      ? "The only event agrees with its hash and with the root: "
      : "All \(verdict.present) events agree with their hashes and with the root: "
    if verdict.isArchiveAtFault { return agreement + "nothing in the book itself is damaged." }
    if verdict.isVaultAtFault { return agreement + "what happened is proven, as without the key." }
    if verdict.isUncovered { return agreement + "it is not known whether they were rewritten." }
    return agreement
      + (verdict.isLogWhole
        ? "what differs are summaries of them. Where events are looked for by kind or time, some may be left "
          + "out." : "what is damaged is kept beside them.")
  }

  /// What to do with a damaged book.
  private static func remedy(_ verdict: Verdict, _ isArchive: Bool) -> String {
    guard !verdict.isArchiveAtFault else {
      return
        "To go on: give the archive that the book continues. If this was the one, keep it as it is, and "
        + "use a copy that `gatebook verify` finds whole."
    }
    guard !verdict.isUncovered else {
      return
        "To go on: compare the checkpoint with the damaged file that was kept, or with a backup from before the "
        + "recovery. A checkpoint that was made since covers what came since."
    }
    guard !verdict.isVaultAtFault else {
      return
        "To go on: use a copy of the book that `gatebook verify` finds whole. A login replaces an account's "
        + "secrets; it repairs neither its key nor its lookups."
    }
    let rewritten =
      verdict.level == .itself
      ? "Only a checkpoint kept elsewhere (`--against`) can show that nothing was "
        + "rewritten. " : ""
    guard !verdict.isLogWhole else {
      return rewritten
        + (isArchive
          ? "To go on: use a copy of the archive that `gatebook verify` finds whole. In this one `show`, `why` "
            + "and `export`, and `log` without conditions, read every event."
          : "To go on: `gatebook rebuild` computes them again; the log is not touched.")
    }
    return rewritten
      + "To go on: keep this file as it is, and use a backup that `gatebook verify` finds whole, or let "
      + "`gatebook recover -o FILE` make a new book of what can still be read here."
  }
}
