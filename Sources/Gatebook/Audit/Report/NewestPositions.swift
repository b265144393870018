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
      next = (next + 1) % limit
    }
  }

  /// The oldest of them.
  var oldest: Position? {
    positions.isEmpty ? nil : Position(rawValue: positions[next])
  }
}
