internal import Gatebook
internal import GatebookSystem

/// The books that wait for their verification, and what was found of the others.
///
/// The largest ones come first: at the end no connection waits for one.
final class BookQueue: Sendable {
  /// What a connection does next.
  enum Work {
    /// It verifies all histories of a book.
    case book(BookID)
    /// It looks for rows that belong to no history.
    case unknown
  }

  private struct State {
    var waiting: ArraySlice<Work>
    var verdicts: [BookID: [HistoryVerdict]] = [:]
    var unknown: [UnknownRows] = []
    var failure: GatebookError?
    var events: Int64 = 0
  }

  /// How many pieces of work there are.
  let count: Int
  /// Whether one of them is to look for rows that belong to no history.
  let looksForUnknown: Bool
  private let order: [BookID]
  private let total: Int64
  private let state: Locked<State>
  private let progress: @Sendable (Int64, Int64) -> Void

  /// Makes a queue.
  ///
  /// - Parameters:
  ///   - histories: The histories that are wanted, in the order of their verdicts.
  ///   - looksForUnknown: Whether to look for rows that belong to no history.
  ///   - progress: Called with the number of verified events and the total.
  init(
    _ histories: [FleetBook], alsoUnknown looksForUnknown: Bool,
    _ progress: @escaping @Sendable (Int64, Int64) -> Void
  ) {
    var sizes: [BookID: Int64] = [:]
    var order: [BookID] = []
    for history in histories {
      let own = max(0, history.size - max(history.base.rawValue, history.first.rawValue - 1))
      if sizes[history.id] == nil { order.append(history.id) }
      sizes[history.id, default: 0] += own
    }
    let books = order.sorted { sizes[$0, default: 0] > sizes[$1, default: 0] }
    let waiting = (looksForUnknown ? [Work.unknown] : []) + books.map { .book($0) }
    self.order = order
    self.progress = progress
    self.looksForUnknown = looksForUnknown
    total = sizes.values.reduce(0, +)
    count = waiting.count
    state = Locked(State(waiting: waiting[...]))
  }

  /// The next piece of work; `nil` for none, and once something has failed.
  func next() -> Work? {
    state.withLock { state in
      guard state.failure == nil, !Task.isCancelled else { return nil }
      return state.waiting.popFirst()
    }
  }

  /// Counts verified events.
  func add(_ events: Int64) {
    let done = state.withLock { state in
      state.events += events
      return state.events
    }
    progress(min(done, total), total)
  }

  func found(_ verdicts: [HistoryVerdict], _ book: BookID) {
    state.withLock { $0.verdicts[book] = verdicts }
  }

  func found(_ unknown: [UnknownRows]) {
    state.withLock { $0.unknown = unknown }
  }

  /// The first failure counts, and ends the work.
  func fail(_ error: GatebookError) {
    state.withLock { $0.failure = $0.failure ?? error }
  }

  /// The verdict, once all work is done.
  ///
  /// - Parameter branch: Only this history of each book; `nil` for all.
  /// - Returns: What was found.
  /// - Throws: The first failure; `cancelled`.
  func verdict(_ branch: Int?) throws(GatebookError) -> FleetVerdict {
    let state = state.withLock { $0 }
    if let failure = state.failure { throw failure }
    guard !Task.isCancelled else {
      throw GatebookError(
        .cancelled, "The verification was cancelled.", kept: "Nothing was changed.",
        remedy: "Verify again: it begins with the first event.")
    }
    let unknown = Dictionary(grouping: state.unknown, by: \.book)
    let histories = order.flatMap { book in
      (state.verdicts[book] ?? [])
        + unknown[book, default: []].map(\.verdict)
    }
    var books = state.unknown.filter { !$0.isOfKnownBook }.map(\.book)
    books = books.enumerated().filter { $0 == 0 || books[$0 - 1] != $1 }.map(\.element)
    return FleetVerdict(
      histories: histories.filter { branch == nil || $0.branch == branch }, unknownBooks: books)
  }
}
