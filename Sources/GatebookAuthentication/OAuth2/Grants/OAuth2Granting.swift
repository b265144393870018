internal import GatebookEvents

/// The part of a login that comes by the tokens: one for each flow.
protocol OAuth2Granting: Sendable {
  /// Takes its first step.
  mutating func begin(
    _ login: inout OAuth2Login, _ input: Input
  ) throws(GatebookError) -> Step

  /// Takes one input after that.
  mutating func next(
    _ login: inout OAuth2Login, _ input: Input
  ) throws(GatebookError) -> Move<OAuth2Granted>

  /// What it needs to go on after a restart; `nil` while it does not wait for the person.
  var waiting: Facts? { get }

  /// How long it waits between two questions to the server; `nil` where it asks none.
  var interval: Duration? { get }
}

extension OAuth2Granting {
  var waiting: Facts? { nil }
  var interval: Duration? { nil }
}
