public import GatebookEvents

/// A security check has succeeded.
public struct SecurityCheckSuccess: Hashable, Sendable {
  /// The flow in which it succeeded.
  public let flow: FlowID
  /// The check's exact name.
  public let check: String
  /// The authenticated user; `nil` for checks without users, such as a PIN code.
  public let user: AuthenticatedUser?
  /// Whether the server accepted without an answer in this flow: it remembered the user, or an earlier success
  /// was still valid; the protocol does not say which.
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
