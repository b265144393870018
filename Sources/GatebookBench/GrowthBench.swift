internal import GatebookEvents
internal import GatebookStore

/// The verification of what a book recorded since a checkpoint; its key file is `PATH.key`.
struct GrowthBench {
  let path: String
  /// How many events the checkpoint covers.
  let from: Int64

  /// Prints how many of the later events a second, and what comparing the earlier ones took: a
  /// second verification, from the last event, reads one event only.
  func run() async throws(GatebookError) {
    let reader = try BookReader.open(at: path, key: KeyFile(path: "\(path).key"))
    let size = try reader.head().size
    guard from < size else {
      throw GatebookError(
        .configurationInvalid, "The book has only \(size) events.", remedy: "Name fewer.")
    }
    let whole = try await duration(from: reader.checkpoint(ofFirst: from))
    let compared = try await duration(from: reader.checkpoint(ofFirst: size - 1))
    print(
      "\(Latencies.rate(Int(size - from), in: whole)) events=\(size - from) "
        + "us=\(whole.microseconds) compareus=\(compared.microseconds)")
  }

  private func duration(from note: String) async throws(GatebookError) -> Duration {
    let start = ContinuousClock.now
    let verdict = try await BookVerifier(path: path).verify(from: note)
    let duration = ContinuousClock.now - start
    guard let problem = verdict.problems.first else { return duration }
    throw GatebookError(
      .storageDamaged, "The book is not right: \(problem)", remedy: "Make a new one.")
  }
}
