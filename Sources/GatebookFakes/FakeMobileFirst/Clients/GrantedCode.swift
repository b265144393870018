/// What an authorization gave: good for one token.
struct GrantedCode: Hashable, Sendable {
  var clientID: String
  var scope: String
  var redirectURI: String
}
