internal import Gatebook

/// `gatebook verify --from`.
extension VerifyCommand {
  /// Verifies what the book recorded since the checkpoint in a file.
  @MainActor func verify(from path: String, _ call: Call) async throws -> ExitCode {
    try Self.refuseOthers(call)
    let note = try TextFile.read(path, what: "checkpoint")
    let progress = call.progress
    let verdict = try await BookVerifier(path: call.globals.book).verify(from: note) { done, all in
      Task { @MainActor in progress.show("verifying: \(done) of \(all) events") }
    }
    progress.finish()
    Self.show(verdict, checkpoint: path, call.output)
    return verdict.ok ? .done : .damaged
  }

  /// What these options ask needs the events that `--from` does not read.
  private static func refuseOthers(_ call: Call) throws(UsageError) {
    var others = [against, archive].filter { call.arguments.has($0) }.map(\.name)
    if call.globals.account != nil { others.append("--account") }
    guard let other = others.first else { return }
    throw UsageError(
      "`\(from.name)` and `\(other)` do not go together.",
      remedy: "Leave out `\(from.name)` to verify the whole book.")
  }

  @MainActor private static func show(
    _ verdict: GrowthVerdict, checkpoint path: String, _ output: Output
  ) {
    guard !output.isJSON else { return output.json(json(verdict)) }
    guard verdict.ok else { return show(GrowthFault(verdict, checkpoint: path), verdict, output) }
    let count = "\(verdict.events) \(verdict.events == 1 ? "event" : "events")"
    output.line(
      output.painted(
        verdict.events == 0
          ? "The book agrees with the checkpoint, and nothing was added since."
          : "The book agrees with the checkpoint, and with itself from position \(verdict.from) on: "
            + "\(count).", .good))
    output.sentence(
      "Events 1 to \(verdict.covered) were not read: only their stored root was compared with the "
        + "checkpoint. Only `gatebook verify` finds a changed event among them.")
    if let root = verdict.root { output.line("root \(root)") }
  }

  @MainActor private static func show(
    _ fault: GrowthFault, _ verdict: GrowthVerdict, _ output: Output
  ) {
    output.line(output.painted(fault.text, .bad))
    for (mark, text) in [("", fault.rest)] + verdict.problems.map({ ("- ", Printable.text($0)) }) {
      output.lines(WrappedText.paragraph(mark, text, width: output.columns))
    }
    output.message(
      WrappedText.paragraph("", fault.remedy, width: output.columns).joined(separator: "\n"))
  }

  private static func json(_ verdict: GrowthVerdict) -> JSON {
    .members([
      ("ok", .bool(verdict.ok)), ("size", .integer(verdict.size)),
      ("root", verdict.root.map(JSON.text)), ("level", .text("since")),
      ("covered", .integer(verdict.covered)), ("from", .position(verdict.from)),
      ("firstBad", verdict.firstBad.map(JSON.position)),
      ("problems", .list(verdict.problems.map(JSON.text))),
      ("logWhole", verdict.ok ? nil : .bool(verdict.isLogWhole)),
    ])
  }
}

/// What is wrong with a book that grew since a checkpoint, what can be relied on, and what to do.
private struct GrowthFault {
  let text: String
  let rest: String
  let remedy: String

  init(_ verdict: GrowthVerdict, checkpoint path: String) {
    let kept =
      "Next: keep this file unchanged, and use a backup that `gatebook verify` finds undamaged. Without "
      + "one, `gatebook recover -o FILE` makes a new book from what can still be read."
    guard verdict.agreesWithCheckpoint else {
      text = "The book does not agree with the checkpoint."
      rest =
        verdict.covered > verdict.size
        ? "Events were removed, or the checkpoint was made from another copy of the book. No event was "
          + "read."
        : "Events up to \(verdict.covered) were rewritten or removed, or a stored root of them is "
          + "damaged. No event was read."
      remedy =
        "Next: `gatebook verify --against \(ShellText.word(path))` computes every hash again and shows "
        + "which events are wrong."
      return
    }
    if verdict.isLogWhole {
      text = "The index of kinds and times is wrong."
      rest =
        "All events from \(verdict.from) on agree with their hashes and with the root. A search by kind "
        + "or time may miss some of them."
      remedy = "Next: `gatebook rebuild` computes the index again. It does not change the log."
      return
    }
    text = "The book was damaged or tampered with after the checkpoint."
    remedy = kept
    if let bad = verdict.firstBad {
      rest =
        (bad == verdict.from
          ? "The first event after the checkpoint is bad"
          : "The first bad position is \(bad). The events between the checkpoint and that position agree "
            + "with their hashes") + "; nothing from \(bad) on is proven."
    } else if verdict.agreesWithRoot {
      rest =
        "All events from \(verdict.from) on agree with their hashes and with the root: only data beside "
        + "them is damaged."
    } else {
      rest =
        "Each event from \(verdict.from) on agrees with its own hash, but together they do not match the "
        + "root in the book's head. It is not possible to tell which of them were changed."
    }
  }
}
