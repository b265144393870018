internal import Gatebook
internal import GatebookCrypto
internal import GatebookEvents
internal import GatebookStore

/// The events that say what a book begins with: the tree covers them, so they prove the rows beside
/// it.
extension HistoryCheck {
  /// The state after the last event that an archive or a recovery has: the tree continues from
  /// there.
  mutating func reachFloor() {
    guard let past, past.isReadable, let root = past.root else { return }
    if let tree = state.tree, tree.rootDigest == root {
      // Events that are here too are the ones that the book continued from.
    } else {
      if state.tree != nil, past.isProven || !past.isRecovered {
        findings.note(
          "The first \(head.floor) events are not those that the book continued from: their root "
            + "differs.")
      }
      unproven += uncovered
      uncovered = 0
      heads.restart(at: head.floor)
      state.tree = past.tree
    }
    if past.isRecovered || state.streams.rule != .strict { state.streams = past.streams }
    // The book continues from these rows, whichever version has computed them.
    state.fold = past.fold
  }

  /// Counts an event that a recovery kept.
  mutating func keep(_ leaf: Digest, _ position: Int64) {
    guard let past, past.isRecovered, position >= past.first else { return }
    if recovered == nil { recovered = ShippedTree() }
    recovered?.append(leaf)
  }

  /// Checks an event that says how the book began or continued: the tree does not have it yet.
  ///
  /// One that erases an account is noted, because the fleet deletes more then.
  mutating func checkBook(_ row: EventRow, _ meaning: KindTable.Meaning) {
    if meaning == .erased, let account = row.envelope.account { erased.insert(account) }
    let position = row.envelope.position
    let facts = Facts(decoding: row.data) ?? [:]
    if position == 1 || meaning == .continued || meaning == .recovered {
      checkKey(facts, position)
    }
    // A recovery that found no event begins with its own one.
    if position == 1, meaning != .created, meaning != .recovered {
      findings.note(at: 1, "The first event does not say that the book was created.")
    }
    if let past, past.isReadable, position == head.floor + 1 {
      guard names(past, facts, meaning) else {
        return findings.note(
          at: position,
          "The event at position \(position) does not record what the book continues from.")
      }
      if meaning == .recovered { compareKept(BookRecovered(facts), past, position) }
    } else if meaning == .continued || meaning == .recovered {
      checkOlder(facts, meaning, position)
    }
  }

  private mutating func checkKey(_ facts: Facts, _ position: Int64) {
    let named = HistoryHead.key(in: facts)
    guard let named, state.key == nil || state.key == named else {
      return findings.note(
        at: position, "The event at position \(position) does not name the book's checkpoint key.")
    }
    state.key = named
  }

  private func names(
    _ past: StoredPast, _ facts: Facts, _ meaning: KindTable.Meaning
  ) -> Bool {
    // Both kinds say these under the same names.
    let start = BookContinued(facts)
    return meaning == (past.isRecovered ? .recovered : .continued)
      && start.from.rawValue == head.floor
      && start.root == past.root.map { Hex.encode($0.bytes) }
      && start.state == past.state.map { Hex.encode($0.bytes) }
  }

  /// An archive or a recovery before the last one: what the book continued from then is not here
  /// any more, but its root is.
  private mutating func checkOlder(
    _ facts: Facts, _ meaning: KindTable.Meaning, _ position: Int64
  ) {
    let isNamed = state.tree.map { BookContinued(facts).root == Hex.encode($0.root) }
    if meaning == .continued, isNamed == false {
      findings.note(
        at: position,
        "The events before position \(position) are not those that the book continued from: their root "
          + "differs.")
    }
    guard meaning == .recovered else { return }
    // The recovery may have begun another tree, and the fleet may have events that it did not find.
    if isNamed != true { state.tree = nil }
    state.streams.reopen()
  }

  /// Compares the events that a recovery kept with the root that it named.
  ///
  /// That is not possible if the fleet has events that the recovery did not find.
  private mutating func compareKept(
    _ event: BookRecovered, _ past: StoredPast, _ position: Int64
  ) {
    let lost = (head.lost ?? []).reduce(Int64(0)) { count, range in
      range.lowerBound >= past.first ? count + range.upperBound - range.lowerBound + 1 : count
    }
    guard let named = event.kept, lost == event.lost, head.first <= past.first else { return }
    let kept = recovered ?? ShippedTree()
    guard Hex.encode(kept.root) == named else {
      return findings.note(
        at: max(head.first, past.first),
        "The events that the recovery at position \(position) kept are not those that it named.")
    }
    unproven = max(0, unproven - kept.size)
  }
}
