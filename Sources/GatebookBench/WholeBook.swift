internal import GatebookEvents
internal import GatebookStore

/// What is done with a book as a whole.
struct WholeBook {
  let path: String

  /// Writes a book with exactly so many events, for tests of other programs.
  func make(events: Int) async throws(GatebookError) {
    let book = try await BenchBook.make(at: path)
    let filled = 1 + BenchBook.accounts * 2
    guard events >= filled else {
      throw GatebookError(
        .configurationInvalid, "A book has at least \(filled) events.",
        remedy: "Ask for more events.")
    }
    try await book.fill(from: filled, to: events)
    await book.store.close()
    print("events=\(events) key=\(path).key")
  }

  /// Reads every event of a book, with nothing made of it.
  func scan() throws(GatebookError) {
    let start = ContinuousClock.now
    let reader = try BookReader.open(at: path)
    let end = Position(rawValue: try reader.head().size)
    var bytes = 0
    var last: Position? = .start
    while let position = last {
      last = try reader.scan(after: position, upTo: end, limit: 10_000) { bytes += $0.data.count }
    }
    let duration = ContinuousClock.now - start
    print("\(Latencies.rate(Int(end.rawValue), in: duration)) events=\(end) bytes=\(bytes)")
  }

  /// Measures the verification of a book that is there.
  func verify() async throws(GatebookError) {
    let start = ContinuousClock.now
    let verdict = try await BookVerifier(path: path).verify()
    let duration = ContinuousClock.now - start
    try require(verdict.problems)
    print("\(Latencies.rate(Int(verdict.size), in: duration)) events=\(verdict.size)")
  }

  /// Measures the fold of a whole log by one thread: what a rebuild of the projections costs.
  func rebuild() throws(GatebookError) {
    let start = ContinuousClock.now
    let end = try BookReader.open(at: path).foldLog().end
    let duration = ContinuousClock.now - start
    print("\(Latencies.rate(Int(end.rawValue), in: duration)) events=\(end)")
  }

  /// Whether a book is right in all that can be checked without its key; nothing is measured.
  ///
  /// What the C anchor wrote must pass: else it does other work than Gatebook.
  func check() async throws(GatebookError) {
    let verdict = try await BookVerifier(path: path).verify()
    try require(verdict.problems + BookReader.open(at: path).checkProjections().problems)
    print("events=\(verdict.size)")
  }

  private func require(_ problems: [String]) throws(GatebookError) {
    guard let problem = problems.first else { return }
    throw GatebookError(
      .storageDamaged, "The book is not right: \(problem)", remedy: "Make a new one.")
  }
}
