/// The events of a book after a position, also those to come: see
/// ``SessionBook/events(following:matching:)``.
///
/// Events that are there already are read a thousand at a time, when they are asked for. Events of
/// other processes appear within 50 ms.
public struct FollowedEvents: AsyncSequence, Sendable {
  /// An event, with its personal data decrypted.
  public typealias Element = RecordedEvent
  /// Why the book cannot be read.
  public typealias Failure = GatebookError

  private let watch: BookWatch
  private let filter: EventFilter

  init(
    _ book: SessionBook, following position: Position, matching filter: EventFilter,
    batch: Int = 1000
  ) {
    watch = BookWatch(book)
    var filter = filter
    filter.after = position
    filter.limit = batch
    self.filter = filter
  }

  /// Starts after the position.
  public func makeAsyncIterator() -> Iterator {
    Iterator(watch, filter)
  }

  /// Waits for one event after the other.
  public struct Iterator: AsyncIteratorProtocol {
    private var watch: BookWatch
    private var filter: EventFilter
    /// Events that were read and not returned yet, the next one last.
    private var ready: [RecordedEvent] = []
    /// Whether there may be more events that match already.
    private var isBehind = true

    fileprivate init(_ watch: BookWatch, _ filter: EventFilter) {
      self.watch = watch
      self.filter = filter
    }

    /// Waits for the next event.
    ///
    /// After a failure it can be called again: it then looks again after 50 ms.
    ///
    /// - Parameter actor: The caller's isolation.
    /// - Returns: The event; `nil` once the book is closed or released, or the task is cancelled.
    /// - Throws: `storage` failures.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(GatebookError) -> RecordedEvent? {
      while ready.isEmpty {
        let found = try await watch.next(always: isBehind) { [filter] book throws(GatebookError) in
          try book.events(upToNow: filter)
        }
        guard let found else { return nil }
        filter.after = found.end
        isBehind = found.events.count == filter.limit
        ready = found.events.reversed()
      }
      return ready.popLast()
    }
  }
}

extension SessionBook {
  /// The next events that match a filter, and the position up to which there are no others.
  fileprivate func events(
    upToNow filter: EventFilter
  ) throws(GatebookError) -> (events: [RecordedEvent], end: Position)? {
    try ledger.reader.inSnapshot { () throws(GatebookError) in
      let events = try ledger.reader.events(filter)
      let size = Position(rawValue: try ledger.reader.head().size)
      if events.count == filter.limit, let last = events.last { return (events, last.position) }
      return (events, max(size, filter.after ?? size))
    }
  }
}
