internal import GatebookEvents
internal import GatebookStore

/// Durable appends: by one task in batches that are one transaction each, or by many callers at
/// once, each answered after its own event is on disk.
struct AppendBench {
  let path: String
  var callers = 1
  var batch = 1
  let events: Int

  func run() async throws(GatebookError) {
    let book = try await BenchBook.make(at: path)
    let share = events / callers
    let start = ContinuousClock.now
    let results = await withTaskGroup(of: Result<Latencies, GatebookError>.self) { group in
      for caller in 0..<callers {
        group.addTask {
          await append(caller * share..<(caller + 1) * share, to: book)
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let duration = ContinuousClock.now - start
    await book.store.close()
    var latencies = Latencies()
    for result in results { latencies.add(try result.get()) }
    print("\(Latencies.rate(share * callers, in: duration)) \(latencies.summary)")
  }

  private func append(
    _ numbers: Range<Int>, to book: BenchBook
  ) async -> Result<Latencies, GatebookError> {
    var latencies = Latencies()
    for first in stride(from: numbers.lowerBound, to: numbers.upperBound, by: batch) {
      let append = Append((first..<first + batch).map(book.event))
      let begun = ContinuousClock.now
      do throws(GatebookError) {
        _ = try await book.store.append(append)
      } catch {
        return .failure(error)
      }
      latencies.add(ContinuousClock.now - begun)
    }
    return .success(latencies)
  }
}
