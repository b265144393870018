internal import Gatebook

/// What the renewals of one command brought that a person should hear of.
struct RenewalWatch: Sendable {
  private let account: AccountID
  private let start: Position

  /// Begins to watch an account.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - book: The book.
  /// - Throws: Storage failures.
  init(_ account: AccountID, in book: SessionBook) async throws(GatebookError) {
    self.account = account
    start = try await book.lastPosition(of: account)
  }

  /// Sentences of what came since then; none where the book cannot be read now, for the command's
  /// own work is done.
  func news(in book: SessionBook) async -> [String] {
    guard let renewals = try? await book.renewals(of: account, since: start) else { return [] }
    var told: [String] = []
    if let missing = renewals.missingScopes {
      told.append(Self.ungranted(missing))
    }
    if let reason = renewals.refusedIDToken {
      let words = reason.split(separator: "-").joined(separator: " ")
      told.append(
        "The server's new ID token was rejected: \(Printable.text(words)). The session continues "
          + "without it.")
    }
    if renewals.isEnded {
      told.append(
        "The server rejected the refresh token, so the session cannot be renewed. Its access token "
          + "works until it expires; then log in again.")
    }
    return told
  }

  /// What is said of scopes that were not granted.
  static func ungranted(_ scopes: [String]) -> String {
    "The server did not grant: \(Printable.text(scopes.joined(separator: " ")))."
  }
}
