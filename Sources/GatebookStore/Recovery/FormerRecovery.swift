internal import GatebookCrypto
internal import GatebookEvents

/// What a recovery before this one has recorded of what it kept.
struct FormerRecovery {
  private let opening: Opening
  private let connection: Connection
  /// The root over the leaves of the events that it kept, as hexadecimal digits.
  private let kept: String
  /// How many it did not find.
  private let lost: Int64

  /// Reads it; `nil` where there was none, its event is lost, or it recorded nothing.
  init?(_ opening: Opening?, _ connection: Connection) throws(GatebookError) {
    guard let opening, opening.isRecovered else { return nil }
    let event = try connection.statement("SELECT data FROM event WHERE position = ?1")
    event.bind(1, opening.floor + 1)
    defer { event.reset() }
    guard try event.step() else { return nil }
    let facts = FactScanner(event.raw(0))
    guard let kept = facts.text("kept"), let lost = facts.integer("lost") else { return nil }
    self.opening = opening
    self.connection = connection
    self.kept = kept
    self.lost = lost
  }

  /// Events that are not those that were kept then, as far as that can still be told: where more of them
  /// are lost by now, nothing tells it.
  ///
  /// - Parameter lost: What is lost now.
  /// - Returns: Those that nothing else covers; where there are none, all up to there.
  /// - Throws: `storage` failures.
  func rewritten(
    besides lost: [ClosedRange<Int64>]
  ) throws(GatebookError) -> [ClosedRange<Position>] {
    guard opening.floor >= opening.first,
      Hex.encode(try KeptLeaves(connection, upTo: opening.floor).root.bytes) != kept,
      Self.count(lost, upTo: opening.floor) == self.lost
    else { return [] }
    let uncovered = Continuation(
      archived: Position(rawValue: opening.first - 1), floor: Position(rawValue: opening.floor),
      isRecovered: true,
      lost: lost.filter { $0.lowerBound <= opening.floor }.map {
        Position(rawValue: $0.lowerBound)...Position(rawValue: $0.upperBound)
      }, isProven: true, isBound: true
    ).uncovered
    return uncovered.isEmpty
      ? [Position(rawValue: opening.first)...Position(rawValue: opening.floor)] : uncovered
  }

  private static func count(_ lost: [ClosedRange<Int64>], upTo floor: Int64) -> Int64 {
    lost.reduce(0) { sum, range in
      range.lowerBound > floor
        ? sum : sum + min(range.upperBound, floor) - range.lowerBound + 1
    }
  }
}
