internal import Gatebook

/// A moment as a person wrote it, or a position of the log.
enum TimeArgument: Hashable, Sendable {
  /// The end of the log at a position.
  case position(Position)
  /// A moment.
  case moment(Timestamp)
}
