/// What went wrong, as an event says it.
package struct Failure: Hashable, Sendable {
  /// The name of a ``FailureCode``; a newer version may know more of them.
  package var code: String?
  /// The server's own error code.
  package var error: String?
  /// What says more than the code: see "Faults" in "Event format".
  package var fault: String?
  /// The status of the answer.
  package var status: Int64?

  package init() {}

  /// What an error says in an event.
  package init(_ error: GatebookError) {
    code = error.code.rawValue
    self.error = error.serverCode
    fault = error.fault
    status = error.status.map(Int64.init)
  }
}
