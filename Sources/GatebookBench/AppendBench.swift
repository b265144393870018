internal import GatebookEvents
internal import GatebookStore

/// Durable appends by one task, each batch one transaction.
struct AppendBench {
  let path: String
  let batch: Int
  let events: Int

  func run() async throws(GatebookError) {
    let book = try await BenchBook.make(at: path)
    let clock = ContinuousClock()
    var latencies = Latencies()
    let start = clock.now
    for first in stride(from: 0, to: events, by: batch) {
      let append = Append((first..<first + batch).map(book.event))
      let begun = clock.now
      _ = try await book.store.append(append)
      latencies.add(clock.now - begun)
    }
    let duration = clock.now - start
    await book.store.close()
    print("\(Latencies.rate(events, in: duration)) \(latencies.summary)")
  }
}
