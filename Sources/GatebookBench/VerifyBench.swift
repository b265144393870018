internal import GatebookEvents
internal import GatebookStore

/// The verification of a book that is there.
struct VerifyBench {
  let path: String

  func run() async throws(GatebookError) {
    let clock = ContinuousClock()
    let start = clock.now
    let verdict = try await BookVerifier(path: path).verify()
    let duration = clock.now - start
    guard verdict.ok else {
      throw GatebookError(
        .storageDamaged, "The book does not verify: \(verdict.problems.first ?? "")",
        remedy: "Make a new one.")
    }
    print("\(Latencies.rate(Int(verdict.size), in: duration)) events=\(verdict.size)")
  }
}
