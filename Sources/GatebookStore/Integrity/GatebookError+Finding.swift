internal import GatebookEvents

extension GatebookError {
  /// What a verdict says of it.
  var finding: String { cause.map { "\(message) (\($0))" } ?? message }
}
