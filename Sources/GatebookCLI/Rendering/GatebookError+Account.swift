internal import Gatebook

extension GatebookError {
  /// The error with the name of the account that it is about.
  func told(of name: String) -> GatebookError {
    GatebookError(
      code, "\(name): \(message)", kept: kept, remedy: remedy, cause: cause, status: status,
      serverCode: serverCode)
  }
}
