public import FoundationEssentials
public import Gatebook

/// What Foundation shows of an error, from what the error says itself.
extension GatebookError: LocalizedError {
  /// What happened, and what was kept: `localizedDescription` is often all that an app shows.
  public var errorDescription: String? { "\(message) \(kept)" }

  /// The technical cause; `nil` if there is none.
  public var failureReason: String? { cause }

  /// What the reader can do next.
  public var recoverySuggestion: String? { remedy }
}
