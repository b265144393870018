/// Where a part of a machine leads: to its next step, or to what it was for.
enum Move<Result: Sendable>: Sendable {
  /// The part goes on with this.
  case step(Step)
  /// The part has ended with this.
  case done(Result)
}
