extension GatebookError {
  /// Makes an error in the words of its fault, which `why` has for the same fault.
  ///
  /// - Parameters:
  ///   - code: The code of the closed list.
  ///   - fault: What was found fault with.
  ///   - server: What the server, or the page of it that was asked, is called.
  ///   - detail: What more is known, as whole sentences.
  ///   - kept: What the failure did not touch.
  ///   - remedy: What to do next.
  ///   - cause: The technical cause, without secrets.
  ///   - status: The HTTP status of the answer that decided.
  ///   - serverCode: The server's own error code.
  package init(
    _ code: FailureCode, _ fault: Fault, of server: String = Fault.anyServer,
    _ detail: String? = nil, kept: String = "Nothing was changed.", remedy: String,
    cause: String? = nil,
    status: Int? = nil, serverCode: String? = nil
  ) {
    self.init(
      code, [fault.sentence(of: server), detail].compactMap(\.self).joined(separator: " "),
      kept: kept, remedy: remedy, cause: cause, status: status, serverCode: serverCode)
    self.fault = fault.name
  }

  /// The same failure with what it found fault with, where the fault has no words of its own or the
  /// failure's own say them.
  package func faulting(_ fault: Fault) -> GatebookError {
    var error = self
    error.fault = fault.name
    return error
  }
}
