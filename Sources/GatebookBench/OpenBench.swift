internal import Gatebook
internal import GatebookEvents

/// Opens a book as an app does, and brings the current account's context.
struct OpenBench {
  let path: String
  let rounds: Int

  func run() async throws(GatebookError) {
    var latencies = Latencies()
    for _ in 0..<rounds {
      let begun = ContinuousClock.now
      let book = try await AccountsBook(path: path).open()
      let context = try await book.currentContext()
      latencies.add(ContinuousClock.now - begun)
      await book.close()
      guard context != nil else {
        throw GatebookError(
          .configurationInvalid, "The book has no current account.",
          remedy: "Make it with `make-sized-book`.")
      }
    }
    print(latencies.summary)
  }
}
