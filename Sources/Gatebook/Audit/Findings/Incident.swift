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
