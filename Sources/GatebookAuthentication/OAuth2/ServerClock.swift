internal import GatebookEvents

/// How far a server's clock is from ours, as its answers show.
struct ServerClock: Hashable, Sendable {
  /// The server's clock less ours.
  private(set) var offset: Duration = .zero

  /// Takes the time of an answer; one without a valid `Date` changes nothing.
  mutating func observe(_ reply: HTTPReply, at moment: Moment) {
    guard let date = reply.date(at: moment.wall) else { return }
    let difference = date - moment.wall
    // `Date` has whole seconds, and the answer was on its way: so small a difference is none.
    offset = (.seconds(-5) ... .seconds(5)).contains(difference) ? .zero : difference
  }
}

extension ServerClock {
  /// Takes over an offset in microseconds.
  init(microseconds: Int64) {
    offset = .microseconds(microseconds)
  }
}
