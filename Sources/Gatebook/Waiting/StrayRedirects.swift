/// Counts redirects that belong to no login: anybody on the machine can send them, and the log must
/// not grow by what they like.
struct StrayRedirects: Sendable {
  /// How many are recorded after a login began to wait.
  static let limit = 16

  private var recorded = 0
  /// How many came beyond that; the end of the next login tells it.
  private var dropped: Int64 = 0

  /// A login begins to wait: it may have its own.
  mutating func allowMore() {
    recorded = 0
  }

  /// Counts one.
  ///
  /// - Returns: Whether it is to be recorded.
  mutating func admit() -> Bool {
    guard recorded < Self.limit else {
      dropped += 1
      return false
    }
    recorded += 1
    return true
  }

  /// Hands over the number that was dropped, to one who tells it.
  mutating func take() -> Int64 {
    defer { dropped = 0 }
    return dropped
  }

  /// Takes back a number that could not be told.
  mutating func putBack(_ untold: Int64) {
    dropped += untold
  }
}
