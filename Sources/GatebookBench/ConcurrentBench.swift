internal import GatebookEvents
internal import GatebookStore

/// Many callers at once, each answered after its own event is on disk.
struct ConcurrentBench {
  let path: String
  let callers: Int
  let events: Int

  func run() async throws(GatebookError) {
    let book = try await BenchBook.make(at: path)
    let clock = ContinuousClock()
    let share = events / callers
    let start = clock.now
    let latencies = await withTaskGroup(of: Latencies.self) { group in
      for caller in 0..<callers {
        group.addTask {
          var latencies = Latencies()
          for number in 0..<share {
            let begun = clock.now
            _ = try? await book.store.append(Append([book.event(caller * share + number)]))
            latencies.add(clock.now - begun)
          }
          return latencies
        }
      }
      return await group.reduce(into: Latencies()) { $0.add($1) }
    }
    let duration = clock.now - start
    await book.store.close()
    print("\(Latencies.rate(share * callers, in: duration)) \(latencies.summary)")
  }
}
