internal import Gatebook

extension GatebookError {
  /// The error with the name of the account that it is about.
  func told(of name: String) -> GatebookError {
    var error = self
    error.message = "\(name): \(message)"
    return error
  }
}
