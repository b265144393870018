internal import Gatebook
internal import GatebookEvents
internal import GatebookStore

/// What audits ask of a large book, each question many times; without its key, which only a proof
/// needs.
struct QueryBench {
  let path: String
  /// The one question to ask; `nil` for each.
  var only: String?
  /// How often.
  var rounds: Int64 = 200

  /// So many events are in the window of time that is asked for.
  static let window: Int64 = 450

  func run() async throws(GatebookError) {
    let key = only == "proof" ? KeyFile(path: "\(path).key") : nil
    let reader = try BookReader.open(at: path, key: key)
    let size = try reader.head().size
    let accounts = try reader.accounts().map(\.account)
    func position(_ round: Int64) -> Position {
      Position(rawValue: max(1, size * (2 * round + 1) / (2 * rounds)))
    }
    func account(_ round: Int64) -> AccountID { accounts[Int(round) % accounts.count] }
    try measure("newest100") { round throws(GatebookError) in
      var filter = EventFilter()
      filter.account = account(round)
      filter.limit = 100
      _ = try reader.events(filter)
    }
    try measure("kindInWindow") { round throws(GatebookError) in
      var filter = EventFilter()
      filter.kind = EventKind.sessionVerified.rawValue
      filter.since = try reader.event(at: position(round))?.at
      let end = Position(rawValue: min(size, position(round).rawValue + Self.window))
      filter.until = try reader.event(at: end)?.at
      _ = try reader.events(filter)
    }
    try measure("rareKind") { _ throws(GatebookError) in
      var filter = EventFilter()
      filter.kind = EventKind.loginSucceeded.rawValue
      filter.limit = 50
      _ = try reader.events(filter)
    }
    try measure("asOf") { round throws(GatebookError) in
      _ = try reader.context(of: account(round), asOf: position(round))
    }
    try measure("asOfTime") { round throws(GatebookError) in
      guard let event = try reader.event(at: position(round)) else { return }
      _ = try reader.position(asOf: event.at)
    }
    try measure("totals") { _ throws(GatebookError) in _ = try reader.tally() }
    if key != nil {
      // Against a checkpoint that was kept: making one counts all events.
      let note = try reader.checkpoint()
      try measure("proof") { round throws(GatebookError) in
        _ = try reader.proof(of: position(round), against: note)
      }
    }
    try measure("why") { round throws(GatebookError) in _ = try reader.why(account(round)) }
    try measure("accounts") { _ throws(GatebookError) in _ = try reader.accounts() }
    try measure("totalsByDay") { _ throws(GatebookError) in _ = try reader.tallyByDay() }
  }

  private func measure(
    _ name: String, _ body: (Int64) throws(GatebookError) -> Void
  ) throws(GatebookError) {
    guard only == nil || only == name else { return }
    let clock = ContinuousClock()
    var latencies = Latencies()
    for round in 0..<rounds {
      let begun = clock.now
      try body(round)
      latencies.add(clock.now - begun)
    }
    print("\(name): \(latencies.summary)")
  }
}
