internal import GatebookEvents
internal import GatebookStore

/// Whether a book is right in all that can be checked without its key; nothing is measured.
///
/// What the C anchor wrote must pass: else it does other work than Gatebook.
struct CheckBench {
  let path: String

  func run() async throws(GatebookError) {
    let verdict = try await BookVerifier(path: path).verify()
    let projections = try BookReader.open(at: path).checkProjections()
    guard let problem = (verdict.problems + projections.problems).first else {
      return print("events=\(verdict.size)")
    }
    throw GatebookError(
      .storageDamaged, "The book is not right: \(problem)", remedy: "Make a new one.")
  }
}
