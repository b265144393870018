internal import GatebookEvents

extension LiferayAnswer {
  /// The failure that an answer other than the expected one means.
  ///
  /// - Parameters:
  ///   - reply: The answer itself.
  ///   - purpose: What the call was for.
  ///   - portal: The portal that was asked.
  /// - Returns: The failure, without any of the portal's words.
  func error(
    _ reply: HTTPReply, _ purpose: LiferayPurpose, _ portal: LiferayPortal
  ) -> GatebookError {
    let code = JSONDocument.read(reply.body).flatMap { LiferayException($0) }?.code
    switch self {
    case .unauthorised, .accessDenied: return Self.refusal(purpose, reply.status, code)
    case .notFound where purpose == .basicLogin: return Self.refusal(purpose, reply.status, code)
    case .moved: return .moved(reply, from: portal.server)
    case .tokenMissing where purpose == .basicLogin:
      return Self.configuration(
        "The portal demands a CSRF token from callers with HTTP Basic.", reply.status, code,
        remedy: "Use the cookie mode, or exempt the web services from this check at the portal.")
    case .serviceMissing:
      return Self.configuration(
        "The portal does not have the required web service.", reply.status, code,
        remedy: "Check the portal's version; 6.2 needs the Screens plug-in.")
    case .unavailable: return .unavailable(reply, at: portal.server)
    case .misplaced: return .misplaced(reply, at: portal.server, setting: "server")
    case .unexpectedContent, .results:
      return .unexpected(
        "The answer is not JSON from a portal's web services.",
        remedy:
          "Check the portal's URL. The login page of another system may be in front of the portal.",
        status: reply.status)
    case .tokenMissing, .forbidden, .notFound, .exception, .refused:
      return GatebookError(
        .serverRefused,
        "The portal refused the request, but not because of the user name or the password.",
        kept: GatebookError.keptSessions, remedy: "Ask the portal's administrator.",
        status: reply.status, serverCode: code)
    }
  }

  private static func refusal(
    _ purpose: LiferayPurpose, _ status: Int, _ code: String?
  ) -> GatebookError {
    switch purpose {
    case .basicLogin, .cookieLogin, .tokenLogin:
      .credentialsRefused(status: status, serverCode: code)
    case .verification: .sessionRefused(status: status, serverCode: code)
    }
  }

  private static func configuration(
    _ message: String, _ status: Int, _ code: String?, remedy: String
  ) -> GatebookError {
    GatebookError(
      .configurationInvalid, message, kept: GatebookError.keptSessions,
      remedy: remedy, status: status, serverCode: code)
  }
}
