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
