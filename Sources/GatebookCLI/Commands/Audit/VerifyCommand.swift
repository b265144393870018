internal import Gatebook

/// `gatebook verify`.
struct VerifyCommand: Command {
  static let against = CommandOption.value(
    "--against", "CHECKPOINT", "a file that `gatebook checkpoint` wrote and that was kept elsewhere"
  )

  static let archive = CommandOption.value(
    "--archive", "FILE", "the archive that the book continues: it is checked too")

  static let from = CommandOption.value(
    "--from", "CHECKPOINT",
    "check only what was added since this checkpoint, which was kept elsewhere")

  static let help = Help(
    "verify", "Check that no event was changed, removed or added.", in: .care,
    details: [
      "Gatebook computes every hash again. Without a checkpoint the book can only agree with itself. "
        + "Only a checkpoint kept elsewhere can show that events were removed from the end, or rewritten "
        + "together with their hashes.",
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
      "With --from only the events after the checkpoint are computed again, which is fast in a large "
        + "book. Earlier events are not read: only their stored root is compared with the checkpoint. "
        + "A changed event among them is not found then, and neither is a change of encrypted data.",
    ],
    options: [against, archive, from],
    exitNotes: [
      (
        .damaged,
        "also: the checkpoint of --against or --from does not fit, or nothing could be compared with "
          + "it"
      )
    ],
    examples: [
      "gatebook verify --against last.checkpoint --json", "gatebook verify --from last.checkpoint",
      "gatebook verify",
    ], isAudit: true
  )

  func run(_ call: Call) async throws -> ExitCode {
    if let path = call.arguments[Self.from] { return try await verify(from: path, call) }
    let note = try TextFile.checkpoint(call.arguments[Self.against])
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

  /// Says what of the past was not checked here, or was with its archive.
  @MainActor private func showPast(_ verdict: Verdict, _ output: Output) {
    guard let past = verdict.continuation else { return }
    if let recovered = RecoveredPast(past) {
      output.line("The book was recovered from a damaged one. The recovery found:")
      output.lines(recovered.lines)
    }
    guard past.archived > .start else { return }
    if let archive = verdict.archive {
      output.line(
        "Events 1 to \(past.archived) are in the archive, which agrees with itself and the book.")
      if archive.hasSameState == false {
        output.line(
          "Another version of Gatebook computed the state that the book continues from. Accounts and "
            + "sessions were compared with the archive, but not computed again from its events.")
      }
      if let recovered = RecoveredPast(archive.continuation) {
        output.line("The archive was recovered from a damaged book. The recovery found:")
        output.lines(recovered.lines)
      }
    } else {
      output.line(
        past.isForgotten
          ? "The fleet that this copy is from forgot the events 1 to \(past.archived), so neither they nor "
            + "the state after them could be checked."
          : "Events 1 to \(past.archived) are in an archive that was not given, so they were not checked."
      )
    }
  }

  @MainActor private func show(_ verdict: Verdict, isArchive: Bool, _ call: Call) {
    let output = call.output
    let sealed = SealedRendering(verdict: verdict, isKeyNamed: call.globals.key != .none)
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
          (
            verdict.continuation?.isForgotten == true ? "forgotten" : "archived",
            verdict.continuation.flatMap { $0.archived == .start ? nil : .position($0.archived) }
          ),
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
      let fault = VerifyFault.found(by: verdict, isArchive: isArchive)
      output.line(output.painted(fault.text, .bad))
      let paragraphs =
        [("", fault.rest)] + verdict.problems.map { ("- ", Printable.text($0)) }
        + [("", sealed.line)]
      for (mark, text) in paragraphs {
        output.lines(WrappedText.paragraph(mark, text, width: output.columns))
      }
      return output.message(
        WrappedText.paragraph("", fault.remedy, width: output.columns).joined(separator: "\n"))
    }
    let count = "\(verdict.present) \(verdict.present == 1 ? "event" : "events")"
    output.line(output.painted("\(Self.agreement(verdict)): \(count).", .good))
    showPast(verdict, output)
    if let stream = verdict.stream {
      let share =
        stream.events == 1
        ? "1 of them belongs to the account" : "\(stream.events) of them belong to the account"
      output.line("\(share); none is missing.")
    }
    output.line("root \(verdict.root)")
    output.sentence(sealed.line)
    if let covered = verdict.covered, covered < verdict.size {
      output.line(
        "The checkpoint covers the events up to \(covered). Later events were compared only with the "
          + "book itself."
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
      "The book agrees with itself, and with the checkpoint as far as the checkpoint goes"
    }
  }
}

/// What is wrong with a book, what of it can still be relied on, and what to do.
private struct VerifyFault {
  let text: String
  let rest: String
  let remedy: String
}

extension VerifyFault {
  static func found(by verdict: Verdict, isArchive: Bool) -> VerifyFault {
    let agreement =
      verdict.present == 1
      ? "The only event agrees with its hash and with the root: "
      : "All \(verdict.present) events agree with their hashes and with the root: "
    return if verdict.isUncovered {
      VerifyFault(
        text:
          "The book agrees with itself, but nothing in it could be compared with the checkpoint.",
        rest: agreement + "whether they were rewritten is unknown.",
        remedy:
          "Next: compare the checkpoint with the damaged file, if you kept it, or with a backup from "
          + "before the recovery. A checkpoint made after the recovery covers later events.")
    } else if verdict.isVaultAtFault {
      VerifyFault(
        text: "The log agrees with itself, but encrypted data beside it was changed.",
        rest: agreement + "what happened is proven.",
        remedy:
          "Next: use a copy of the book that `gatebook verify` finds undamaged. A login replaces an "
          + "account's secrets, but not its key or lookups.")
    } else if verdict.isArchiveAtFault {
      VerifyFault(
        text: "The book agrees with itself, but not with the archive.",
        rest: agreement + "nothing in the book itself is damaged.",
        remedy:
          "Next: give the archive that the book continues. If this was the right one, keep it "
          + "unchanged, and use a copy of it that `gatebook verify` finds undamaged.")
    } else {
      VerifyFault(
        text: "The book is damaged or was tampered with.",
        rest: Self.rest(verdict, agreement), remedy: Self.remedy(verdict, isArchive))
    }
  }

  /// What of a damaged book can still be relied on.
  private static func rest(_ verdict: Verdict, _ agreement: String) -> String {
    if let bad = verdict.firstBad {
      return bad.rawValue == 1
        ? "The first event is bad, so nothing in the book is proven."
        : "The first bad position is \(bad). The events before it agree with their hashes; nothing "
          + "from \(bad) on is proven."
    }
    guard verdict.agreesWithRoot else {
      return
        "Each event agrees with its own hash, but together they do not match what was signed or counted "
        + "before. It is not possible to tell which of them were changed."
    }
    return agreement
      + (verdict.isLogWhole
        ? "only their indexes and computed states differ. A search by kind or time may miss some "
          + "events." : "only data beside them is damaged.")
  }

  /// What to do with a damaged book.
  private static func remedy(_ verdict: Verdict, _ isArchive: Bool) -> String {
    let next =
      if !verdict.isLogWhole {
        "keep this file unchanged, and use a backup that `gatebook verify` finds undamaged. Without "
          + "one, `gatebook recover -o FILE` makes a new book from what can still be read."
      } else if isArchive {
        "use a copy of the archive that `gatebook verify` finds undamaged. In this one, `show`, `why`, "
          + "`export`, and `log` without conditions still read every event."
      } else {
        "`gatebook rebuild` computes them again. It does not change the log."
      }
    return
      (verdict.level == .itself
      ? "Only a checkpoint kept elsewhere (`--against`) can show that nothing was rewritten. " : "")
      + "Next: " + next
  }
}
