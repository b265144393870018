public import GatebookEvents

/// A security check asks for an answer.
///
/// Source: section 2; a missing key in the payload is not an error.
public struct SecurityCheckChallenge: Hashable, Sendable {
  /// The flow; the call that began the flow has the same id.
  public let flow: FlowID
  /// The check's exact name.
  public let check: String
  /// Counts the challenges of this check within the flow, from 1: above 1 an answer was wrong.
  public let round: Int64
  /// The server's message about the previous answer; empty for the first challenge.
  public let errorMessage: String
  /// How many answers are left; `nil` when the server does not say.
  public let remainingAttempts: Int64?
  /// Everything the server sent with it; empty when it sent nothing.
  public let payload: Facts

  /// Decodes a challenge.
  package init(flow: FlowID, check: String, round: Int64, payload: FactValue?) {
    let facts = payload?.object ?? [:]
    self.flow = flow
    self.check = check
    self.round = round
    self.payload = facts
    errorMessage = facts["errorMsg"]?.text ?? ""
    remainingAttempts = facts["remainingAttempts"]?.integer
  }
}

/// A security check has succeeded.
public struct SecurityCheckSuccess: Hashable, Sendable {
  /// The flow in which it succeeded.
  public let flow: FlowID
  /// The check's exact name.
  public let check: String
  /// The authenticated user; `nil` for checks without users, such as a PIN code.
  public let user: AuthenticatedUser?
  /// Whether the server accepted without an answer in this flow: it remembered the user, or an
  /// earlier success was still valid; the protocol does not say which.
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
