internal import Gatebook
internal import GatebookCrypto
internal import GatebookEvents
internal import GatebookStore

/// Verifies one history event by event, in the order of positions, in constant memory.
///
/// ```
/// an event      -> its leaf, its form, its number in its stream; the tree grows by its leaf
/// lost events   -> the tree is not known until `floor`: each event agrees with its leaf alone
/// `floor`       -> the tree is the one that the next event names
/// forgotten     -> the tree and the counts are those that the fleet kept of them
/// a stored head -> its root is that of the tree, and its note is signed by the book's key
/// a kept head   -> its root is that of the tree, and its key is the history's
/// ```
struct HistoryCheck {
  let head: HistoryHead
  /// What follows an archive or a recovery; `nil` for a history that has all of its past.
  let past: StoredPast?
  /// What the fleet kept of forgotten events; `nil` for a history that forgot none.
  let start: StoredPast?
  var state: HistoryState
  var heads: HeadComparison
  var findings = HistoryFindings()
  var kinds = KindTable()
  /// The head that somebody kept outside of the fleet; `nil` for none.
  private(set) var kept: KeptHeadCheck?
  /// What the events say of accounts and sessions at the head that the stored states belong to;
  /// `nil` where nobody asked, or where it cannot be known.
  private(set) var folded: ShippedFold?
  /// The accounts that events erase.
  var erased: Set<AccountID> = []
  /// How many leaves could not be computed again, because the encrypted facts stayed at home.
  private(set) var withheld: Int64 = 0
  /// How many events came with their encrypted facts.
  private(set) var sealed: Int64 = 0
  /// How many events are there.
  private(set) var events: Int64 = 0
  /// The times of the first and of the last of them; `nil` for none.
  private(set) var times: (first: Int64, last: Int64)?
  /// How many events agree with their leaves alone: no root covers them.
  var unproven: Int64 = 0
  /// How many of the last events no root covers yet.
  var uncovered: Int64 = 0
  /// Whether all events are where they should be: else counters cannot be compared.
  private(set) var isWhole = true
  /// The state after the events that were asked for, such as those that other histories share.
  private(set) var shared: [Int64: HistoryState] = [:]
  /// The tree over the leaves of what a recovery kept.
  var recovered: ShippedTree?

  private var programs: ProgramTable
  private var canonical = CanonicalEvent()
  private let hash = SHA256()
  private var expected: Int64
  private var lost: ArraySlice<ClosedRange<Int64>>
  private var bases: ArraySlice<Int64>
  /// The next position after which more is to do than to take an event.
  private var stop: Int64 = .min

  /// Begins before the first event of a history.
  ///
  /// - Parameters:
  ///   - head: The history.
  ///   - book: The book.
  ///   - past: What its book began with.
  ///   - start: What the fleet kept of forgotten events.
  ///   - state: What is known of its parent at its base; `nil` where that is not known.
  ///   - bases: The positions after which the state is kept: there other histories leave it.
  ///   - programs: The book's programs.
  ///   - kept: A head that was kept outside of the fleet.
  ///   - folds: Whether the states of accounts and sessions are computed.
  init(
    _ head: HistoryHead, of book: BookID, _ past: StoredPast?, start: StoredPast?,
    after state: HistoryState?, bases: [Int64], _ programs: ProgramTable,
    kept: FleetHeads.Head? = nil, folds: Bool = false
  ) {
    self.head = head
    self.kept = kept.map { KeptHeadCheck($0) }
    self.past = past
    self.start = start
    self.programs = programs
    self.bases = bases.sorted()[...]
    self.state = state ?? HistoryState()
    heads = HeadComparison(book, head)
    expected = head.first
    lost = (head.lost ?? [])[...]
    if let past { findings.add(past.findings) }
    if let problem = head.problem { findings.note(problem) }
    if let start { findings.add(start.findings) }
    if let named = head.checkpointKey, self.state.key == nil { self.state.key = named }
    if let start, start.isReadable {
      self.state = HistoryState(
        tree: start.tree, streams: start.streams, key: start.checkpointKey, fold: start.fold)
    } else if head.start == 0 {
      self.state.tree = ShippedTree()
      if folds { self.state.fold = ShippedFold() }
    } else if state == nil {
      begin()
    }
  }

  /// How many events the fleet forgot.
  var forgotten: Int64 { start?.counts.reduce(0) { $0 + $1.events } ?? 0 }

  /// Begins after events that are not in the fleet.
  private mutating func begin() {
    state.streams.reopen()
    if head.parent != nil, head.start == head.base {
      findings.note("The history that this one left does not have all events up to \(head.base).")
    } else if past?.isReadable != true || head.floor < head.start {
      if head.size > head.start {
        findings.note("Nothing says what the history begins with after position \(head.start).")
      }
    }
    if head.floor > head.start { state.streams.loosen() }
  }

  // MARK: Events

  /// Takes the next event.
  mutating func take(_ row: EventRow) {
    let position = row.envelope.position
    guard position >= head.first, position <= head.size else { return stray(position) }
    if stop == .min { reach(head.start) }
    if position != expected {
      guard position > expected else { return stray(position) }
      skip(upTo: position)
    }
    events += 1
    times = (times?.first ?? row.envelope.at, row.envelope.at)
    uncovered += 1
    if let lost = lost.first, lost.contains(position) {
      findings.note(at: position, "The event at position \(position) is there, but counts as lost.")
    }
    let kind = kinds.number(of: row.kind)
    kinds.count(kind, at: row.envelope.at)
    let meaning = kinds.meaning(kind)
    if meaning != .other || position == 1 || position == head.floor + 1 {
      checkBook(row, meaning)
    }
    check(row, kind)
    state.fold?.apply(row.entry(kinds.event(kind)))
    grow(by: row.leaf, position)
    expected = position + 1
    if position >= stop { reach(position) }
  }

  /// An event that no shipper has put there.
  private mutating func stray(_ position: Int64) {
    isWhole = false
    findings.note(
      at: max(position, 1),
      position == expected - 1 && events > 0
        ? "There are two events at position \(position)."
        : "The event at position \(position) does not belong to the history, which has the positions "
          + "from \(head.first) to \(head.size).")
  }

  /// Checks the leaf and the form of an event, and its number.
  private mutating func check(_ row: EventRow, _ kind: Int) {
    let position = row.envelope.position
    if row.sealed != nil { sealed += 1 }
    if row.isWithheld { checkWithheld(row) }
    if let writer = programs.described(row.program) {
      if !row.isWithheld {
        canonical.write(
          row.envelope, kind: kinds.described(kind), writer: writer, data: row.data,
          sealed: row.sealed)
        if hash.leaf(canonical.bytes) != row.leaf {
          findings.note(at: position, "The event at position \(position) was changed.")
        }
      }
    } else {
      findings.note(
        at: position,
        "The event at position \(position) refers to a program that does not exist.")
    }
    if let cause = row.envelope.cause, !(1..<max(1, position)).contains(cause) {
      findings.note(
        at: position, "The event at position \(position) names a cause that is not before it.")
    }
    if !CanonicalForm.holds(row.data) {
      findings.note(
        at: position,
        "The facts of the event at position \(position) are not in the form that Gatebook writes.")
    }
    if !state.streams.takes(row.envelope.revision, of: row.envelope.account) {
      findings.note(
        at: position,
        "The numbers of an account's events have a gap, from position \(position) on.")
    }
  }

  /// Counts an event whose leaf cannot be computed again: its content may be any.
  private mutating func checkWithheld(_ row: EventRow) {
    let position = row.envelope.position
    withheld += 1
    if state.firstWithheld == nil { state.firstWithheld = position }
    if row.sealed != nil {
      findings.note(
        at: position,
        "The event at position \(position) counts as withheld, but its encrypted facts are there.")
    }
  }

  private mutating func grow(by leaf: Digest?, _ position: Int64) {
    guard let leaf else {
      state.tree = nil
      findings.note(at: position, "The event at position \(position) has no hash.")
      return
    }
    if past?.isRecovered == true, position <= head.floor { keep(leaf, position) }
    state.tree?.append(leaf)
  }

  // MARK: Positions

  /// Goes over positions without events up to one that has an event, or to the end.
  private mutating func skip(upTo position: Int64) {
    while expected < position {
      while let first = lost.first, first.upperBound < expected { lost.removeFirst() }
      var end: Int64
      if let range = lost.first, range.contains(expected) {
        end = min(range.upperBound + 1, position)
      } else {
        end = min(position, lost.first?.lowerBound ?? position)
        if expected <= head.floor { end = min(end, head.floor + 1) }
        noteMissing(expected, end - 1)
      }
      state.tree = nil
      state.fold = nil
      state.streams.loosen()
      expected = end
      reach(end - 1)
    }
  }

  private mutating func noteMissing(_ first: Int64, _ last: Int64) {
    isWhole = false
    findings.note(
      at: first,
      first == last
        ? "The event at position \(first) is missing."
        : "The events from position \(first) to \(last) are missing.")
  }

  /// Does what is to do after an event, or after the positions of missing ones.
  private mutating func reach(_ position: Int64) {
    if position == kept?.size { kept?.compare(state.tree) }
    if position == head.floor, position > 0 { reachFloor() }
    if position == kept?.size { kept?.compare(state.tree) }
    if position == head.folded { folded = state.fold }
    if heads.compare(upTo: position, state.tree, state.key) { uncovered = 0 }
    while let base = bases.first, base <= position {
      bases.removeFirst()
      if base == position { shared[base] = state }
    }
    stop = min(heads.next, bases.first ?? .max)
    for next in [head.floor, head.folded, kept?.size ?? 0] where next > position {
      stop = min(stop, next)
    }
  }

  /// Takes heads that follow.
  mutating func expect(_ heads: [StoredHead]) {
    self.heads.expect(heads)
    for head in heads { kept?.see(head) }
    if stop != .min { stop = min(stop, self.heads.next) }
  }

  /// Ends the check after the last event.
  mutating func finish() {
    if stop == .min { reach(head.start) }
    // What was changed in the row of the history itself does not say which events should be there.
    if head.problem == nil { skip(upTo: head.size + 1) }
    let newest = StoredHead(size: head.size, root: head.root, checkpoint: head.checkpoint)
    if heads.compare(newest, expected == head.size + 1 ? state.tree : nil, state.key) {
      uncovered = 0
    }
    heads.finish(size: head.size, firstBad: findings.firstBad)
    findings.add(heads.findings)
    if state.tree == nil, isWhole { unproven += uncovered }
    kept?.finish(head, key: state.key)
    if let kept { findings.add(kept.findings) }
    if withheld != head.withheld {
      findings.note(
        "The history counts \(head.withheld) events without their encrypted facts, and has \(withheld)."
      )
    }
  }
}
