package import GatebookEvents

extension HTTPRequest {
  /// The request with the account's cookies and a token; without one, the field that the app set
  /// itself stays.
  package func carrying(
    _ jar: CookieJar, _ token: AccessToken?, at moment: Moment
  ) -> HTTPRequest {
    let request = carrying(jar, at: moment)
    guard let token else { return request }
    return request.replacing(
      HTTPField("Authorization", token.asAuthorizationRequestHeader.text))
  }
}
