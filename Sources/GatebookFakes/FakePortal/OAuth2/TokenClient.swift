/// Finds out which application asks at the token endpoint.
enum TokenClient {
  /// The application that proved itself: with Basic, with fields of the form, or by its name alone
  /// when it has no secret.
  ///
  /// The name and the secret are taken from Basic unchanged: the portal does not decode them as RFC
  /// 6749 section 2.3.1 requires.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - applications: Who is registered.
  /// - Returns: The application.
  /// - Throws: `FakeTokenRefusal.unknownClient` or `.badClient`.
  static func identify(
    _ request: LoopbackRequest, _ applications: PortalOAuth2
  ) throws(FakeTokenRefusal) -> FakePortalApplication {
    let basic = request.basicCredentials
    let clientID = basic?.name ?? request.formValue("client_id")
    let secret = basic?.password ?? request.formValue("client_secret") ?? ""
    guard let application = applications.application(clientID) else {
      throw FakeTokenRefusal.unknownClient
    }
    guard secret == application.secret ?? "" else { throw FakeTokenRefusal.badClient }
    // RFC 6749 section 2.3: no more than one way of authentication in a request.
    guard basic == nil || request.formValue("client_secret") == nil else {
      throw FakeTokenRefusal.badClient
    }
    return application
  }
}
