package import GatebookEvents

/// How far a server's clock is from ours, as its answers show.
package struct ServerClock: Hashable, Sendable {
  /// The server's clock less ours.
  package private(set) var offset: Duration = .zero

  /// Makes a clock that is like ours.
  package init() {}

  /// Takes over an offset in microseconds.
  package init(microseconds: Int64) {
    offset = .microseconds(microseconds)
  }

  /// Takes the time of an answer.
  ///
  /// The server wrote it between the sending and the arrival: a late answer does not show a slow
  /// clock. A difference that rounding and latency can explain does not count. Nor does an answer
  /// without a valid `Date`, or one from a cache (RFC 9111 section 5.1).
  ///
  /// - Parameters:
  ///   - reply: The answer.
  ///   - sent: When its request was sent.
  ///   - arrived: When it came.
  package mutating func observe(_ reply: HTTPReply, from sent: Moment, to arrived: Moment) {
    guard let date = reply.date(at: arrived.wall), reply.fields.first("Age") == nil else {
      return
    }
    let (early, late) = (date - arrived.wall, date - sent.wall)
    // Sent and arrived by one clock: it may have been set meanwhile.
    let range = min(early, late)...max(early, late)
    let nearest = Self.nearest(to: offset, in: range)
    guard LifeClock.isNoticeable(nearest - offset) else { return }
    let likely = Self.nearest(to: .zero, in: range)
    offset = LifeClock.isNoticeable(likely) ? likely : .zero
  }

  private static func nearest(
    to offset: Duration, in range: ClosedRange<Duration>
  ) -> Duration {
    min(max(offset, range.lowerBound), range.upperBound)
  }
}

/// As its offset in microseconds.
extension ServerClock: Storable {
  package init?(record: Int64) { self.init(microseconds: record) }
  package var record: Int64 { offset.microseconds }
}
