internal import GatebookEvents
internal import GatebookStore

/// The fold of a whole log by one thread: what a rebuild of the projections costs.
struct RebuildBench {
  let path: String

  func run() async throws(GatebookError) {
    let clock = ContinuousClock()
    let start = clock.now
    let end = try BookReader.open(at: path).foldLog().end
    print("\(Latencies.rate(Int(end.rawValue), in: clock.now - start)) events=\(end)")
  }
}
