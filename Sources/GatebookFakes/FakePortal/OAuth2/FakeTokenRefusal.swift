/// Why the token endpoint gave nothing, as the portal says it.
enum FakeTokenRefusal: String, Error {
  /// The code, the password or the refresh token is no good.
  case badGrant = "invalid_grant"
  /// The application may not get tokens in this way.
  case grantNotAllowed = "unauthorized_client"
  /// There is no such way.
  case unknownGrant = "unsupported_grant_type"
  /// There is no such application.
  case unknownClient = "invalid_request"
  /// The secret is wrong or missing.
  case badClient = "invalid_client"
  /// More was asked for than the application may have (inferred: its form).
  case badScope = "invalid_scope"

  /// The answer.
  ///
  /// - Parameter isEmpty: Whether the answer to a wrong secret has no body, as of older portals.
  /// - Returns: The answer.
  func reply(emptyForBadClient isEmpty: Bool) -> LoopbackReply {
    switch self {
    case .badClient where isEmpty: LoopbackReply(status: 401)
    case .badClient: .refused(rawValue, status: 401)
    case .unknownClient: .refused(rawValue, description: "Client ID is invalid")
    case .badGrant, .grantNotAllowed, .unknownGrant, .badScope: .refused(rawValue)
    }
  }
}

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
