internal import Gatebook
internal import GatebookFleet

/// Tells people and programs what a verification of a fleet found.
@MainActor struct FleetVerdictRendering {
  let output: Output

  init(_ output: Output) {
    self.output = output
  }

  /// Prints a verdict.
  ///
  /// - Parameters:
  ///   - verdict: The verdict.
  ///   - isDetailed: Whether histories that are right are printed one by one.
  ///   - isAgainst: Whether kept heads were given.
  func show(_ verdict: FleetVerdict, isDetailed: Bool, isAgainst: Bool = false) {
    guard !output.isJSON else { return showJSON(verdict) }
    for history in verdict.histories {
      if !history.ok { showFault(history) } else if isDetailed { showAgreement(history) }
    }
    for book in verdict.unknownBooks {
      output.line(output.painted("Book \(book) does not belong to the fleet.", .bad))
      paragraph("- ", Self.added)
    }
    FleetVerdictSummary(output, verdict).show(isAgainst: isAgainst)
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
    output.sentence(Self.covered(history))
    if let first = history.firstWithheld { showWithheld(history, first) }
    showKept(history)
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

  /// What checkpoints say of a history that agrees.
  private static func covered(_ history: HistoryVerdict) -> String {
    guard let covered = history.covered else {
      return "No checkpoint is signed: the events were compared only with the shipped root."
    }
    let key = "A checkpoint signed by the key that the book names covers"
    guard covered.rawValue == history.size else {
      return
        "\(key) the events up to \(covered). Later events were compared only with the root that was "
        + "shipped."
    }
    return history.level == .withheld ? "\(key) the hashes of all of them." : "\(key) all of them."
  }

  private func showWithheld(_ history: HistoryVerdict, _ first: Position) {
    guard history.withheld > 0 else {
      return output.sentence(
        "Some events that it shares with another history came without their encrypted facts, the first at "
          + "position \(first). Only their place in the history is proven, not their content.")
    }
    output.sentence(
      "\(Figure.text(history.withheld, "event", "events")) came without encrypted facts, the first at "
        + "position \(first). Only the place of such an event in the history is proven, not its content."
    )
    guard history.sealed > 0 else { return }
    output.sentence(
      "\(Figure.text(history.sealed, "event", "events")) came with encrypted facts. A machine that changed "
        + "what it ships leaves such a history, and so does somebody who changed events in the database."
    )
  }

  private func showKept(_ history: HistoryVerdict) {
    if let known = history.known {
      output.sentence(
        history.isKnownForgotten
          ? "The fleet forgot the events of the kept head: only the key was compared, and a stored root of "
            + "\(Figure.text(known, "event", "events")) if there is one."
          : "The kept head of \(Figure.text(known, "event", "events")) agrees.")
    } else if history.isNew {
      output.sentence("No head of this history was kept: it is new.")
    }
    if let states = history.states { output.sentence(Self.text(states)) }
  }

  private static func text(_ states: HistoryVerdict.States) -> String {
    switch states {
    case .compared: "The stored states of accounts and sessions are what the events say."
    case .none: "The fleet has no states of accounts and sessions of it."
    case .otherVersion:
      "Another version of Gatebook computed the states of accounts and sessions, so they were not compared."
    case .unknown:
      "The states of accounts and sessions were not compared, because events before them are not there."
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

  private func paragraph(_ lead: String, _ text: String) {
    output.lines(WrappedText.paragraph(lead, text, width: output.columns))
  }

  static let added = "The fleet has rows of this book, but no history: somebody added them."
}
