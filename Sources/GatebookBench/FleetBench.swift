internal import Gatebook
internal import GatebookEvents
internal import GatebookFleet

/// What people ask of a fleet of many books, each question many times.
struct FleetBench {
  let url: String
  /// The book that is asked for alone.
  let book: String
  let rounds: Int

  /// As long is the window of time that is asked for: 40 seconds in the middle of the book.
  private static let window: Int64 = 40_000_000

  func run() async throws(GatebookError) {
    let fleet = FleetReader(FleetAccess(try FleetAddress(url)))
    guard let found = try await fleet.books(FleetScope(book: book)).first,
      let first = found.firstEvent, let last = found.lastEvent
    else {
      throw GatebookError(
        .configurationInvalid, "The fleet has no such book.", remedy: "Name one that it has.")
    }
    let middle = first.rawValue / 2 + last.rawValue / 2
    try await measure("newest100", rounds) { () async throws(GatebookError) in
      try await fleet.log(FleetScope(book: book), FleetLogFilter(limit: 100)) { _ in true }
    }
    let filter = FleetLogFilter(
      kinds: [EventKind.sessionVerified.rawValue], since: Timestamp(rawValue: middle),
      until: Timestamp(rawValue: middle + Self.window))
    try await measure("kindInWindow", rounds) { () async throws(GatebookError) in
      try await fleet.log(FleetScope(), filter) { _ in true }
    }
    try await measure("statistics", rounds) { () async throws(GatebookError) in
      _ = try await fleet.statistics(at: last)
    }
    try await measure("findings", min(rounds, 3)) { () async throws(GatebookError) in
      _ = try await fleet.findings(at: last)
    }
  }

  /// Prints the median of the times; the first one, which loads libraries, does not count.
  private func measure(
    _ name: String, _ rounds: Int, _ ask: () async throws(GatebookError) -> Void
  ) async throws(GatebookError) {
    let clock = ContinuousClock()
    var times: [Duration] = []
    for _ in 0...rounds {
      let begin = clock.now
      try await ask()
      times.append(clock.now - begin)
    }
    let sorted = times.dropFirst().sorted()
    print("\(name)us=\(sorted[sorted.count / 2] / .microseconds(1))")
  }
}
