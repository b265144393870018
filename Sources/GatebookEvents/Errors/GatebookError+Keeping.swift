extension GatebookError {
  /// What a failed request leaves, as whoever carries requests says it: one of a session, it supposes.
  package static let sessionKept = "The session is kept."

  /// The same failure, of which something else was kept.
  package func keeping(_ kept: String) -> GatebookError {
    var error = GatebookError(
      code, message, kept: kept, remedy: remedy, cause: cause, status: status,
      serverCode: serverCode)
    error.setting = setting
    error.fault = fault
    return error
  }
}
