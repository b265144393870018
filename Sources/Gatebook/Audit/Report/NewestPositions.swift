/// The last so many positions that went by.
struct NewestPositions {
  private let limit: Int
  private var positions: [Int64] = []
  private var next = 0

  init(limit: Int) {
    self.limit = limit
  }

  mutating func add(_ position: Int64) {
    if positions.count < limit {
      positions.append(position)
    } else {
      positions[next] = position
      next += 1
      if next == limit { next = 0 }
    }
  }

  /// The oldest of them.
  var oldest: Position? {
    positions.isEmpty ? nil : Position(rawValue: positions[next])
  }
}
