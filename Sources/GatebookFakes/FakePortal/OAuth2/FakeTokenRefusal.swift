/// Why the token endpoint gave nothing, as the portal says it.
enum FakeTokenRefusal: Error {
  /// The code, the password or the refresh token is no good.
  case badGrant
  /// The application may not get tokens in this way.
  case grantNotAllowed
  /// There is no such way.
  case unknownGrant
  /// There is no such application.
  case unknownClient
  /// The secret is wrong or missing.
  case badClient
  /// More was asked for than the application may have (inferred: its form).
  case badScope

  /// The answer.
  ///
  /// - Parameter isEmpty: Whether the answer to a wrong secret has no body, as of older portals.
  /// - Returns: The answer.
  func reply(emptyForBadClient isEmpty: Bool) -> LoopbackReply {
    switch self {
    case .badGrant: Self.error("invalid_grant")
    case .grantNotAllowed: Self.error("unauthorized_client")
    case .unknownGrant: Self.error("unsupported_grant_type")
    case .badScope: Self.error("invalid_scope")
    case .unknownClient:
      .json(
        ["error": "invalid_request", "error_description": "Client ID is invalid"], status: 400)
    case .badClient: isEmpty ? LoopbackReply(status: 401) : Self.error("invalid_client", 401)
    }
  }

  private static func error(_ code: String, _ status: Int = 400) -> LoopbackReply {
    .json(["error": .string(code)], status: status)
  }
}
