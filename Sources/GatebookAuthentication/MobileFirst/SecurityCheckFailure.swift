public import GatebookEvents

/// A security check that accepts no answer for now, for example because it is blocked.
public struct SecurityCheckFailure: Hashable, Sendable {
  /// The flow that failed with it.
  public let flow: FlowID
  /// The check's exact name.
  public let check: String
  /// The server's reason; `Unknown error` when it gives none.
  public let reason: String
  /// Everything the server sent with it.
  public let payload: Facts

  /// Decodes a failure.
  package init(flow: FlowID, check: String, payload: FactValue?) {
    let facts = payload?.object ?? [:]
    self.flow = flow
    self.check = check
    self.payload = facts
    reason = facts["failure"]?.text ?? "Unknown error"
  }
}
