extension GatebookError {
  /// The caller does not want the answer any more.
  static var cancelledByCaller: GatebookError {
    GatebookError(
      .cancelled, "The caller cancelled.", kept: "No session was changed.",
      remedy: "Nothing needs to be done.")
  }
}
