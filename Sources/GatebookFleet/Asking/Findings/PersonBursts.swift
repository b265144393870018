internal import Gatebook
internal import GatebookEvents

/// When one person's events come on so many machines within so short a time.
struct PersonBursts {
  /// An account of a history.
  struct Place: Hashable {
    let book: BookID
    let branch: Int
    let account: AccountID
  }

  /// Events of an account at a moment.
  struct Event {
    let place: Place
    let at: Timestamp
    let count: Int64
  }

  /// Events that belong together.
  struct Burst {
    private(set) var places: Set<Place> = []
    private(set) var count: Int64 = 0
    private(set) var first: Timestamp
    private(set) var last: Timestamp

    /// How many machines: copies of one book count as one.
    var machines: Int { Set(places.map(\.book)).count }

    fileprivate init(_ event: Event) {
      (first, last) = (event.at, event.at)
      add(event)
    }

    fileprivate mutating func add(_ event: Event) {
      places.insert(event.place)
      count += event.count
      (first, last) = (min(first, event.at), max(last, event.at))
    }
  }

  private let events: [Event]
  /// The first event that is not too old.
  private var start = 0
  /// How many events of each book there are from there on.
  private var recent: [BookID: Int] = [:]

  /// The bursts of one person.
  ///
  /// - Parameters:
  ///   - events: The person's events, in any order.
  ///   - machines: As many machines make a burst.
  ///   - window: Within this time; what follows within it belongs to the burst.
  /// - Returns: The bursts in the order of time.
  static func all(_ events: [Event], machines: Int, within window: Duration) -> [Burst] {
    guard Set(events.map(\.place.book)).count >= machines else { return [] }
    var search = PersonBursts(events: events.sorted { $0.at < $1.at })
    return search.bursts(machines, window)
  }

  private init(events: [Event]) {
    self.events = events
  }

  private mutating func bursts(_ machines: Int, _ window: Duration) -> [Burst] {
    var bursts: [Burst] = []
    var isOpen = false
    for (index, event) in events.enumerated() {
      if isOpen, let last = bursts.last?.last, event.at - last <= window {
        bursts[bursts.count - 1].add(event)
        continue
      }
      if isOpen {
        isOpen = false
        start = index
        recent = [:]
      }
      recent[event.place.book, default: 0] += 1
      while event.at - events[start].at > window { leaveFirst() }
      guard recent.count >= machines else { continue }
      var burst = Burst(events[start])
      for later in events[start...index].dropFirst() { burst.add(later) }
      bursts.append(burst)
      isOpen = true
    }
    return bursts
  }

  /// Leaves the first event out: it is too old.
  private mutating func leaveFirst() {
    let book = events[start].place.book
    recent[book] = recent[book].flatMap { $0 > 1 ? $0 - 1 : nil }
    start += 1
  }
}
