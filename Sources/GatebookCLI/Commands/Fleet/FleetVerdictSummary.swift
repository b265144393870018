internal import Gatebook
internal import GatebookFleet

/// Tells people what a verification found in all histories together.
@MainActor struct FleetVerdictSummary {
  private let output: Output
  private let verdict: FleetVerdict
  private let histories: [HistoryVerdict]

  init(_ output: Output, _ verdict: FleetVerdict) {
    self.output = output
    self.verdict = verdict
    histories = verdict.histories
  }

  /// Prints it.
  ///
  /// - Parameter isAgainst: Whether kept heads were given.
  func show(isAgainst: Bool) {
    guard !histories.isEmpty || !verdict.ok else {
      if verdict.missing.isEmpty { output.empty("The fleet has no books yet.") }
      return
    }
    let good = histories.count(where: \.ok)
    let events = Figure.text(histories.reduce(0) { $0 + $1.events }, "event", "events")
    output.line(
      output.painted(
        verdict.ok
          ? "\(Self.text(histories.count, "agrees with itself", "agree with themselves")): \(events)."
          : "\(Figure.text(good)) of \(Figure.text(histories.count)) histories agree.",
        verdict.ok ? .good : .bad))
    let unsigned = histories.count { $0.covered == nil }
    if unsigned > 0 {
      output.sentence("\(Self.text(unsigned, "has", "have")) no signed checkpoint that agrees.")
    }
    showWithheld()
    let forgotten = histories.reduce(0) { $0 + $1.forgotten }
    if forgotten > 0 {
      output.sentence(
        "The fleet forgot \(Figure.text(forgotten, "older event", "older events")), which could not be checked again."
      )
    }
    if isAgainst { showKept() }
    showStates()
    if verdict.ok { showLimits(isAgainst: isAgainst) } else { showRemedy() }
  }

  private static func text(_ count: Int, _ one: String, _ many: String) -> String {
    Figure.text(count, "history \(one)", "histories \(many)")
  }

  private func showWithheld() {
    let all = histories.filter { $0.withheld > 0 }
    guard let example = all.first, let first = example.firstWithheld else { return }
    let events = all.reduce(0) { $0 + $1.withheld }
    let place =
      histories.count == 1
      ? "position \(first)" : "position \(first) of \(Printable.text(name(example)))"
    output.sentence(
      "\(Figure.text(events, "event", "events")) of \(Figure.text(all.count, "history", "histories")) came "
        + "without encrypted facts, the first at \(place). Only the place of such an event in the history "
        + "is proven, not its content.")
    let mixed = all.count { $0.sealed > 0 }
    guard mixed > 0 else { return }
    output.sentence(
      "\(Self.text(mixed, "also has", "also have")) events with encrypted facts. A machine that changed what "
        + "it ships leaves such a history, and so does somebody who changed events in the database."
    )
  }

  private func name(_ history: HistoryVerdict) -> String {
    FleetRendering.name(history.book, history.branch, history.machine)
  }

  private func showKept() {
    let known = histories.count { $0.ok && $0.known != nil && !$0.isKnownForgotten }
    if known > 0 {
      output.sentence(
        "\(Self.text(known, "agrees with its", "agree with their")) kept head\(known == 1 ? "" : "s")."
      )
    }
    let new = histories.count(where: \.isNew)
    if new > 0 {
      output.sentence(
        "\(Self.text(new, "is", "are")) new: the file has no head of \(new == 1 ? "it" : "them").")
    }
    let forgotten = histories.count(where: \.isKnownForgotten)
    if forgotten > 0 {
      output.sentence(
        "\(Self.text(forgotten, "has", "have")) forgotten the events of the kept head: only the key was "
          + "compared, and a stored root if there is one.")
    }
  }

  private func showStates() {
    let compared = histories.count { $0.states == .compared && $0.ok }
    if compared > 0 {
      output.sentence(
        "\(Self.text(compared, "has", "have")) states of accounts and sessions that are what the events say."
      )
    }
    for (states, reason) in [
      (HistoryVerdict.States.none, "the fleet has none of them"),
      (.otherVersion, "another version of Gatebook computed them"),
      (.unknown, "events before them are not there, or are wrong"),
    ] {
      let count = histories.count { $0.states == states }
      guard count > 0 else { continue }
      output.sentence(
        "Of \(Figure.text(count, "history", "histories")) no states were compared: \(reason).")
    }
  }

  /// What this verification could not show.
  private func showLimits(isAgainst: Bool) {
    if histories.allSatisfy({ $0.states == nil }) {
      output.message(
        "The states of accounts and sessions were not compared with the events: `--states` does that."
      )
    }
    if !isAgainst {
      output.message(
        "Only heads that were kept elsewhere can show that a history was removed, cut at its end, or replaced "
          + "with its key: see `gatebook help fleet verify`.")
    }
  }

  private func showRemedy() {
    output.message(
      "Next: on the book's machine, run `gatebook verify`. If the book is whole, rows of the fleet were "
        + "changed: keep the fleet as it is, and ask its administrator.")
  }
}
