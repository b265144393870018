internal import Gatebook

/// An access token or a refresh token.
struct GrantedToken: Hashable, Sendable {
  var clientID: String
  var scope: String
  var expiresAt: Timestamp
  /// The success phase of every check that it rests on, by name; `nil` for tokens that outlive them
  /// because a refresh token gave them.
  var successes: [String: Int?]
}
