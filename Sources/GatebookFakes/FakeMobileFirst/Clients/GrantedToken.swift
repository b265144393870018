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

/// What an authorization gave: good for one token.
struct GrantedCode: Hashable, Sendable {
  var clientID: String
  var scope: String
  var redirectURI: String
}

/// What an access token rests on.
struct TokenFoundation: Hashable, Sendable {
  /// The earliest end of its checks, capped by the application's limit.
  var expiresAt: Timestamp
  /// The success phase of each check; `nil` for checks that have none.
  var successes: [String: Int?] = [:]
}
