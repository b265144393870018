package import GatebookEvents

/// What a portal answered to a JSON-WS call: a closed list, classified once and in this order.
///
/// Order: 401, redirects, answers that are not JSON (the status decides), exceptions, the status.
/// A portal of 6.2 reports errors with status 200, one of 7 with 403, 404 and 500; one failing
/// command replaces the whole batch by one exception.
package enum LiferayAnswer: Equatable {
  /// 200 with the results of all commands.
  case results([FactValue])
  /// 401, whatever its body.
  case unauthorised
  /// A redirect; none is followed.
  case moved
  /// The caller counts as a guest: a wrong Basic password, or a dead session.
  case accessDenied
  /// A session's call came without its CSRF token.
  case tokenMissing
  /// 403 with a body that is not JSON: a CSRF failure, or a filter before the portal.
  case forbidden
  /// 404 with a `NoSuch…` exception other than for the service.
  case notFound
  /// 404: the portal does not have this service.
  case serviceMissing
  /// Another exception with status 200 or 4xx.
  case exception
  /// An exception with status 500, or the server is in trouble.
  case unavailable
  /// 200 with something that is no result, such as a login page.
  case unexpectedContent
  /// 404 and its like without JSON: there is no portal at this URL.
  case misplaced
  /// Any other status.
  case refused

  /// Classifies an answer.
  package init(_ reply: HTTPReply) {
    let value = JSONDocument.read(reply.body)
    let nested = value?.list?.lazy.compactMap { LiferayException($0) }.first
    self =
      switch (StatusClass(reply.status), value.flatMap { LiferayException($0) } ?? nested) {
      case (.unauthorised, _): .unauthorised
      case (.redirected, _): .moved
      case (.unavailable, _): .unavailable
      case (.accepted, nil):
        Self.results(in: value, reply.status).map { .results($0) } ?? .unexpectedContent
      case (.accepted, let exception?):
        exception.isAuthenticationRequired ? .accessDenied : .exception
      case (.forbidden, nil):
        LiferayException.namesToken(reply.body) ? .tokenMissing : .forbidden
      case (.forbidden, let exception?):
        exception.namesToken
          ? .tokenMissing : exception.isAccessDenied ? .accessDenied : .exception
      case (.misplaced, nil): .misplaced
      case (.misplaced, let exception?):
        exception.isServiceMissing
          ? .serviceMissing : exception.isNotFound ? .notFound : .exception
      case (.refused, nil): .refused
      case (.refused, _?): .exception
      }
  }

  private static func results(in value: FactValue?, _ status: Int) -> [FactValue]? {
    guard status == 200 else { return nil }
    return value?.list ?? value?.object.map { [.object($0)] }
  }

  /// Whether an answer of a web service says that a running session has lost its authority.
  ///
  /// Errors are short: an app's large results are not read a second time.
  static func isAuthorityLost(_ reply: HTTPReply) -> Bool {
    reply.body.count <= 64 << 10
      && [.unauthorised, .accessDenied].contains(LiferayAnswer(reply))
  }

  /// The results of an answer that must have some.
  ///
  /// - Throws: The failure that any other answer means.
  static func results(
    of reply: HTTPReply, _ purpose: LiferayPurpose, _ portal: LiferayPortal
  ) throws(GatebookError) -> [FactValue] {
    let answer = LiferayAnswer(reply)
    guard case .results(let results) = answer else { throw answer.error(reply, purpose, portal) }
    return results
  }

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
      return .atLogin(
        .serverRefused,
        "The portal refused the request, but not because of the user name or the password.",
        remedy: "Ask the portal's administrator.", status: reply.status, serverCode: code)
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
    .atLogin(.configurationInvalid, message, remedy: remedy, status: status, serverCode: code)
  }
}
