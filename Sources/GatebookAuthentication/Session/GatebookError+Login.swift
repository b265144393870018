package import GatebookEvents

/// The failures that every login method shares.
///
/// None of them contains a server's words.
extension GatebookError {
  /// What every failed login leaves as it was.
  static let keptSessions = "Sessions and saved credentials are unchanged."

  /// A failure that leaves sessions and saved credentials as they were; without a message of its
  /// own it has that of its code.
  static func atLogin(
    _ code: FailureCode, _ message: String? = nil, remedy: String, cause: String? = nil,
    status: Int? = nil, serverCode: String? = nil
  ) -> GatebookError {
    GatebookError(
      code, message ?? code.sentence, kept: keptSessions, remedy: remedy, cause: cause,
      status: status, serverCode: serverCode)
  }

  /// The same in the words of its fault.
  static func atLogin(
    _ code: FailureCode, _ fault: Fault, of server: String = Fault.anyServer,
    _ detail: String? = nil, remedy: String, cause: String? = nil, status: Int? = nil,
    serverCode: String? = nil
  ) -> GatebookError {
    GatebookError(
      code, fault, of: server, detail, kept: keptSessions, remedy: remedy, cause: cause,
      status: status, serverCode: serverCode)
  }

  /// A login was driven in another order than its protocol.
  static let loginOutOfOrder = GatebookError.atLogin(
    .preconditionFailed, "The login received an answer that it did not ask for.",
    remedy: "Begin a new login.")

  /// A setting is wrong; nothing was sent, unless the error says otherwise.
  static func setting(
    _ name: String, _ message: String, remedy: String, sent: String = "Nothing was sent."
  ) -> GatebookError {
    var error = GatebookError.atLogin(
      .configurationInvalid, "Setting `\(name)`: \(message) \(sent)", remedy: remedy)
    error.setting = name
    return error
  }

  /// The error for a request that comes too early after another one and finds no answer to share.
  package static let askedAMomentAgo = GatebookError.atLogin(
    .serverUnavailable,
    "The server's keys were just requested. Gatebook does not request them again yet.",
    remedy: "Try again in 30 seconds.")

  /// 408, 425, 429, 5xx.
  static func unavailable(_ reply: HTTPReply, at url: HTTPURL) -> GatebookError {
    .atLogin(
      .serverUnavailable, "\(url.origin) is overloaded or failing: it answered \(reply.status).",
      // RFC 6585 section 6: a network that wants to know first who is there.
      remedy: reply.status == 511 ? pageRemedy : "Try again later.",
      status: reply.status)
  }

  /// 404, 405, 410, 415: the URL is not what the settings say.
  static func misplaced(
    _ reply: HTTPReply, at url: HTTPURL, setting: String
  ) -> GatebookError {
    var error = GatebookError.atLogin(
      .configurationInvalid, "The server answered \(reply.status) at \(url.withoutQuery).",
      remedy: "Check the URL.", status: reply.status)
    error.setting = setting
    return error
  }

  /// A redirect that is not followed.
  static func moved(_ reply: HTTPReply, from url: HTTPURL) -> GatebookError {
    let target = reply.fields.first("Location").flatMap { url.resolve($0) }
    let place = target.map { String($0.withoutQuery.prefix(200)) }
    var remedy = "If the server has moved, use its new URL."
    if let target, target.origin.host != url.origin.host { remedy += " " + pageRemedy }
    if let target, url.origin.isSecure, !target.origin.isSecure,
      target.origin.host == url.origin.host
    {
      // Its new URL would be refused: secrets do not go without TLS.
      remedy =
        "The server does not know that clients reach it by https. Ask its administrator to set its "
        + "public address, for example with X-Forwarded-Proto in its proxy."
    }
    return .atLogin(
      .serverMoved, remedy: remedy, cause: place.map { "redirected to \($0)" },
      status: reply.status
    ).naming([place].compactMap(\.self))
  }

  /// Any other refusal; `serverCode` is the server's own word for it.
  static func refused(
    _ reply: HTTPReply, by url: HTTPURL, _ serverCode: String? = nil
  ) -> GatebookError {
    let word = serverCode.flatMap { isErrorCode($0) ? " \($0)" : nil } ?? ""
    let between = serverCode == nil ? intermediary(in: reply) : nil
    var error = GatebookError.atLogin(
      .serverRefused,
      between?.fault.sentence(of: "\(url.origin)")
        ?? "\(url.origin) answered \(reply.status)\(word), which is not an answer that Gatebook understands.",
      remedy: between?.remedy ?? "Ask the server's administrator.", status: reply.status,
      serverCode: serverCode)
    error.fault = between?.fault.name
    return error
  }

  /// Who answered in the place of a server, and what helps; `nil` where an answer without an error
  /// code may be the server's own.
  private static func intermediary(in reply: HTTPReply) -> (fault: Fault, remedy: String)? {
    if reply.status == 407 {
      return (.proxy, "Check the network, or ask its administrator. Then try again.")
    }
    // No server answers with a web page here.
    return reply.isPage ? (.answerPage, pageRemedy) : nil
  }

  /// What helps where a network or a filter answers in a server's place.
  static let pageRemedy =
    "Your network may require a login of its own, as in a hotel. Open any page in a browser, then try "
    + "again. If that does not help, ask the server's administrator."

  /// What an answer's status says, where nothing else about it counts.
  ///
  /// - Parameters:
  ///   - reply: The answer, which is not the one that was hoped for.
  ///   - url: What was asked.
  ///   - setting: What the settings call that URL.
  /// - Returns: `server.moved`, `configuration.invalid`, `server.unavailable` or `server.refused`.
  static func answered(
    _ reply: HTTPReply, at url: HTTPURL, setting: String
  ) -> GatebookError {
    switch StatusClass(reply.status) {
    case .redirected: .moved(reply, from: url)
    case .misplaced: .misplaced(reply, at: url, setting: setting)
    case .unavailable: .unavailable(reply, at: url)
    case .accepted, .unauthorised, .forbidden, .refused: .refused(reply, by: url)
    }
  }

  /// The server did not accept the name or the password.
  static func credentialsRefused(
    status: Int, serverCode: String? = nil,
    remedy: String = "Log in again with the right user name and password."
  ) -> GatebookError {
    .atLogin(.credentialsRefused, remedy: remedy, status: status, serverCode: serverCode)
  }

  /// The server did not accept the session, or what was to renew it.
  static func sessionRefused(
    _ code: FailureCode = .sessionRefused, status: Int, serverCode: String? = nil
  ) -> GatebookError {
    GatebookError(
      code, code.sentence, kept: "The account and its saved credentials are unchanged.",
      remedy: "Log in again.", status: status, serverCode: serverCode)
  }

  /// Nothing shows that the login worked.
  ///
  /// - Parameters:
  ///   - fault: What is missing.
  ///   - server: What the server, or the page of it that was asked, is called.
  ///   - remedy: What to do next.
  ///   - status: The status of the answer that decided; `nil` where none did.
  /// - Returns: `login.unprovable`.
  static func unprovable(
    _ fault: Fault, of server: String = Fault.anyServer, remedy: String, status: Int? = nil
  ) -> GatebookError {
    .atLogin(
      .loginUnprovable, fault, of: server, status.map { "It answered \($0)." }, remedy: remedy,
      status: status)
  }

  /// The answer is not what the protocol answers.
  static func unexpected(_ message: String, remedy: String, status: Int) -> GatebookError {
    .atLogin(.contentUnexpected, message, remedy: remedy, status: status)
  }
}
