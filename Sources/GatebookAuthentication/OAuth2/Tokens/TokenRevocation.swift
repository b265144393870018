/// Where tokens are taken back, and for which application.
package struct TokenRevocation: Hashable, Sendable {
  let url: HTTPURL
  let clientID: String
}
