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
