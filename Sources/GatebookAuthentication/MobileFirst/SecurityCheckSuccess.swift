public import GatebookEvents

/// A security check has succeeded.
public struct SecurityCheckSuccess: Hashable, Sendable {
  /// The flow in which it succeeded.
  public let flow: FlowID
  /// The check's exact name.
  public let check: String
  /// Who was authenticated; `nil` for checks that know no users, such as a pin code.
  public let user: AuthenticatedUser?
  /// Whether the server accepted without an answer in this flow: it remembered the user, or an
  /// earlier success still held; the wire does not say which.
  public let wasRemembered: Bool
  /// Everything the server sent with it.
  public let payload: Facts

  /// Decodes a success.
  package init(flow: FlowID, check: String, wasRemembered: Bool, payload: FactValue?) {
    let facts = payload?.object ?? [:]
    self.flow = flow
    self.check = check
    self.wasRemembered = wasRemembered
    self.payload = facts
    user = facts["user"].flatMap { AuthenticatedUser($0) }
  }
}
