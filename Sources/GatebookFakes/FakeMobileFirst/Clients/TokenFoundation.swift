internal import Gatebook

/// What an access token rests on.
struct TokenFoundation: Hashable, Sendable {
  /// The earliest end of its checks, capped by the application's limit.
  var expiresAt: Timestamp
  /// The success phase of each check; `nil` for checks that have none.
  var successes: [String: Int?] = [:]
}
