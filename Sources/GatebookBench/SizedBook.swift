internal import Gatebook
internal import GatebookEvents
internal import GatebookSystem
internal import GatebookTestSupport

/// A book that is the same, row for row, each time it is made: `tools/bench` keeps it.
///
/// Its events are a second apart, and its last account is the current one.
struct SizedBook {
  let path: String
  let accounts: Int

  func make(events: Int) async throws(GatebookError) {
    let filled = 2 + accounts * 2
    guard events >= filled else {
      throw GatebookError(
        .configurationInvalid, "A book of \(accounts) accounts has at least \(filled) events.",
        remedy: "Ask for more events.")
    }
    let book = try await BenchBook.make(
      at: path, accounts: accounts, clock: TickingClock(), random: SeededRandom(), process: 1)
    try await book.switchToLast()
    try await book.fill(from: filled, to: events)
    await book.store.close()
    print("events=\(events)")
  }
}

/// A clock that shows a second more each time it is read.
private final class TickingClock: BookClock {
  private let reads = Locked<Int64>(0)

  func now() -> Moment {
    let count = reads.withLock { reads in
      reads += 1
      return reads
    }
    return Moment(
      wall: Timestamp(rawValue: 1_700_000_000_000_000 + count * 1_000_000),
      boot: .seconds(count), bootID: BootID(rawValue: 1))
  }
}
