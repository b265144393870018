/// Tells when so many events come within so short a time.
struct Burst {
  /// How much is too much.
  struct Limit {
    let count: Int
    let window: Duration
  }

  private let limit: Limit
  /// The newest events, fewer than the limit.
  private var recent: [(position: Position, at: Timestamp)] = []
  /// The present incident; later events within the window belong to it.
  private var incident: Incident?

  init(_ limit: Limit) {
    self.limit = limit
  }

  /// Takes the next event.
  ///
  /// - Returns: What was over before it.
  mutating func take(_ event: ScannedEvent) -> Incident? {
    if let last = incident?.last, event.at - last <= limit.window {
      incident?.add(event.position, event.at)
      return nil
    }
    let over = end()
    recent.removeAll { event.at - $0.at > limit.window }
    recent.append((event.position, event.at))
    guard recent.count >= limit.count, let first = recent.first else { return over }
    var incident = Incident(account: event.account, first.position, first.at)
    for later in recent.dropFirst() { incident.add(later.position, later.at) }
    self.incident = incident
    recent = []
    return over
  }

  /// Ends the present incident and returns it, if there is one.
  mutating func end() -> Incident? {
    defer { incident = nil }
    return incident
  }

  /// Whether its window is over at a moment.
  func isOver(at moment: Timestamp) -> Bool {
    let last = incident?.last ?? recent.last?.at
    return last.map { moment - $0 > limit.window } ?? true
  }
}

/// Events that belong together: what a finding is made of.
struct Incident {
  /// The number of the stream; 0 is the book's own.
  private(set) var account: Int64
  private(set) var positions: [Position]
  private(set) var count: Int64 = 1
  private(set) var first: Timestamp
  private(set) var last: Timestamp

  init(_ event: ScannedEvent) {
    self.init(account: event.account, event.position, event.at)
  }

  init(account: Int64, _ position: Position, _ moment: Timestamp) {
    self.account = account
    positions = [position]
    first = moment
    last = moment
  }

  /// Takes in an event of any stream; what belongs to several is the book's own.
  mutating func add(_ event: ScannedEvent) {
    if event.account != account { account = 0 }
    add(event.position, event.at)
  }

  mutating func add(_ position: Position, _ moment: Timestamp) {
    count += 1
    if positions.count < Finding.mostPositions { positions.append(position) }
    first = min(first, moment)
    last = max(last, moment)
  }
}
