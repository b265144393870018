internal import Gatebook
internal import GatebookFleet

/// Tells people and programs what a verification of a fleet found.
@MainActor struct FleetVerdictRendering {
  private let output: Output

  init(_ output: Output) {
    self.output = output
  }

  /// Prints a verdict.
  ///
  /// - Parameters:
  ///   - verdict: The verdict.
  ///   - isDetailed: Whether histories that are right are printed one by one.
  func show(_ verdict: FleetVerdict, isDetailed: Bool) {
    guard !output.isJSON else { return showJSON(verdict) }
    for history in verdict.histories {
      if !history.ok { showFault(history) } else if isDetailed { showAgreement(history) }
    }
    for book in verdict.unknownBooks {
      output.line(output.painted("Book \(book) does not belong to the fleet.", .bad))
      paragraph("- ", Self.added)
    }
    showSummary(verdict)
  }

  // MARK: People

  private func name(_ history: HistoryVerdict) -> String {
    let machine = history.machine.map { "\($0), " } ?? ""
    let branch = history.branch == 0 ? "" : ", branch \(history.branch)"
    return Printable.text("\(machine)book \(history.book)\(branch)")
  }

  private func showAgreement(_ history: HistoryVerdict) {
    let events = Figure.text(history.events, "event", "events")
    output.line(output.painted("\(name(history)): agrees with itself: \(events).", .good))
    if let root = history.root { output.line("root \(root)") }
    if let covered = history.covered {
      output.sentence(
        covered.rawValue == history.size
          ? "A checkpoint signed by the book's key covers all of them."
          : "A checkpoint signed by the book's key covers the events up to \(covered). Later events were "
            + "compared only with the root that was shipped.")
    } else {
      output.sentence(
        "No checkpoint is signed: the events were compared only with the shipped root.")
    }
    if history.withheld > 0 {
      output.sentence(
        "\(Figure.text(history.withheld, "event", "events")) came without encrypted facts: the hashes "
          + "could not be computed again.")
    }
    if history.forgotten > 0 {
      output.sentence(
        "The fleet forgot \(Figure.text(history.forgotten, "earlier event", "earlier events")): their root and "
          + "their number are kept.")
    }
    if !history.lost.isEmpty {
      output.sentence("The book was recovered from a damaged one, and events were lost.")
    }
    if history.unproven > 0 {
      output.sentence(
        "\(Figure.text(history.unproven, "event", "events")) from before a recovery could be compared only "
          + "with their own hash.")
    }
  }

  private func showFault(_ history: HistoryVerdict) {
    output.line(output.painted("\(name(history)): does not agree.", .bad))
    if let bad = history.firstBad {
      paragraph(
        "",
        bad.rawValue == 1
          ? "The first event is bad, so nothing in the history is proven."
          : "The first bad position is \(bad). The events before it agree; nothing from \(bad) on is proven."
      )
    }
    for problem in history.problems { paragraph("- ", Printable.text(problem)) }
  }

  private func showSummary(_ verdict: FleetVerdict) {
    let all = verdict.histories
    guard !all.isEmpty || !verdict.ok else {
      if verdict.missing.isEmpty { output.empty("The fleet has no books yet.") }
      return
    }
    let good = all.count(where: \.ok)
    let events = Figure.text(all.reduce(0) { $0 + $1.events }, "event", "events")
    output.line(
      output.painted(
        verdict.ok
          ? "\(Figure.text(all.count, "history agrees with itself", "histories agree with themselves")): "
            + "\(events)."
          : "\(Figure.text(good)) of \(Figure.text(all.count)) histories agree.",
        verdict.ok ? .good : .bad))
    let unsigned = all.count(where: { $0.level == .unsigned })
    if unsigned > 0 {
      output.sentence(
        "\(Figure.text(unsigned, "history has", "histories have")) no signed checkpoint that agrees."
      )
    }
    let withheld = all.reduce(0) { $0 + $1.withheld }
    if withheld > 0 {
      output.sentence(
        "\(Figure.text(withheld, "event", "events")) came without encrypted facts: the hashes could not be "
          + "computed again.")
    }
    let forgotten = all.reduce(0) { $0 + $1.forgotten }
    if forgotten > 0 {
      output.sentence(
        "The fleet forgot \(Figure.text(forgotten, "older event", "older events")), which could not be checked again."
      )
    }
    guard !verdict.ok else { return }
    output.message(
      "Next: on the book's machine, run `gatebook verify`. If the book is whole, rows of the fleet were "
        + "changed: keep the fleet as it is, and ask its administrator.")
  }

  private func paragraph(_ lead: String, _ text: String) {
    output.lines(WrappedText.paragraph(lead, text, width: output.columns))
  }

  private static let added = "The fleet has rows of this book, but no history: somebody added them."

  // MARK: Programs

  private func showJSON(_ verdict: FleetVerdict) {
    for history in verdict.histories { output.json(Self.json(history)) }
    for book in verdict.unknownBooks {
      output.json(
        .present([
          "book": .text(book.description), "ok": .bool(false),
          "problems": .list([.text(Self.added)]),
        ]))
    }
  }

  private static func json(_ history: HistoryVerdict) -> JSON {
    .members([
      ("book", .text(history.book.description)), ("branch", .integer(Int64(history.branch))),
      ("machine", history.machine.map(JSON.text)), ("ok", .bool(history.ok)),
      ("size", .integer(history.size)), ("events", .integer(history.events)),
      ("root", history.root.map(JSON.text)), ("level", .text(history.level.rawValue)),
      ("covered", history.covered.map(JSON.position)),
      ("firstBad", history.firstBad.map(JSON.position)),
      ("problems", .list(history.problems.map(JSON.text))),
      ("forgotten", history.forgotten > 0 ? .integer(history.forgotten) : nil),
      ("withheld", history.withheld > 0 ? .integer(history.withheld) : nil),
      ("unproven", history.unproven > 0 ? .integer(history.unproven) : nil),
      ("lost", history.lost.isEmpty ? nil : .pairs(history.lost)),
    ])
  }
}
