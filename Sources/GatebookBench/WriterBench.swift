internal import GatebookEvents
internal import GatebookStore
internal import GatebookSystem

/// One of several processes that write to a book at the same time, each event in a transaction of
/// its own.
///
/// It says `ready` once the book is open, and begins when a line comes.
struct WriterBench {
  let path: String
  /// Which account it writes about.
  let number: Int
  let events: Int

  /// What the calls were like.
  private struct Course {
    var latencies = Latencies()
    var longest = Duration.zero
    var mostBetween: Int64 = 0
    var refused = 0
    var last: Position?

    mutating func add(_ duration: Duration, _ position: Position) {
      latencies.add(duration)
      longest = max(longest, duration)
      if let last { mostBetween = max(mostBetween, position.rawValue - last.rawValue - 1) }
      last = position
    }
  }

  func run() async throws(GatebookError) {
    let store = try await BenchBook.open(path)
    let members = try BookReader.open(at: path).accounts()
    let member = members[number % members.count]
    let event = ProposedEvent(
      .sessionVerified, account: member.account, session: member.session,
      personal: ["by": "bench"])
    print("ready")
    ThisProcess.flush()
    _ = FileDescriptor.readByte(FileDescriptor.standardInput)
    var course = Course()
    let begin = SystemTime.monotonic
    for _ in 0..<events {
      let begun = ContinuousClock.now
      do throws(GatebookError) {
        let receipt = try await store.append(Append([event]))
        course.add(ContinuousClock.now - begun, receipt.first)
      } catch {
        guard error.code == .storageBusy else { throw error }
        course.refused += 1
      }
    }
    let end = SystemTime.monotonic
    await store.close()
    print(
      "begin=\(begin) end=\(end) longestus=\(course.longest.microseconds)",
      "between=\(course.mostBetween) refused=\(course.refused)", course.latencies.summary)
  }
}
