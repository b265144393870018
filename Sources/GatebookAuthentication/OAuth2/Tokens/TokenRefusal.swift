internal import GatebookEvents

/// What an answer of the token endpoint that grants nothing means, by what was asked.
///
/// Source: RFC 6749 section 5.2, and what servers really answer.
enum TokenRefusal {
  /// What was asked of the token endpoint.
  enum Grant: Sendable {
    /// A code of the redirect: any refusal of it is final.
    case code
    /// A person's password.
    case password
    /// A refresh token: only a closed list of answers ends a session.
    case refresh
    /// Whether the person has entered the code on another device.
    case device
    /// Something for which the application alone answers.
    case client
  }

  /// What the settings call the endpoint that most answers come from.
  static let tokenEndpoint = "token endpoint"
  /// How Liferay describes a client that it does not know, whose code is `invalid_request`.
  private static let unknownClient = "Client ID is invalid"
  /// What says that the client is not known, or may not do this.
  ///
  /// The last name is GitHub's.
  private static let client = [
    "invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope",
    "incorrect_client_credentials",
  ]
  /// What says that the request does not match what is registered for the client: GitHub's names.
  private static let registration = ["redirect_uri_mismatch", "device_flow_disabled"]
  /// What says that a password is not the right one, or that its owner may not come in with it.
  ///
  /// What wants the person on a page, such as for a second factor, refuses no password.
  private static let badCredentials = ["invalid_grant", "invalid_request", "access_denied"]
  private static let terminal = [
    "invalid_grant", "invalid_token", "access_denied", "login_required", "interaction_required",
    "consent_required",
  ]

  /// The failure that an answer means.
  ///
  /// - Parameters:
  ///   - reply: The answer, which is no grant.
  ///   - grant: What was asked.
  ///   - endpoint: Where.
  ///   - emptyRefusesClient: Whether a 401 without a body is about the client, as at Liferay.
  ///   - setting: What the endpoint is called.
  /// - Returns: The failure, without any of the server's words.
  static func error(
    _ reply: HTTPReply, _ grant: Grant, at endpoint: HTTPURL, emptyRefusesClient: Bool,
    setting: String = tokenEndpoint
  ) -> GatebookError {
    let code = code(in: reply)
    switch StatusClass(reply.status) {
    case .redirected, .misplaced, .unavailable:
      return .answered(reply, at: endpoint, setting: setting)
    case .accepted where grant == .refresh: return accepted(reply, setting)
    case .accepted:
      // Some servers refuse with a 200. A code is good once, whatever its refusal is called.
      let isCode = grant == .code || grant == .device
      guard reply.status == 200, let code, !hasToken(reply),
        terminal.contains(code) || isCode || (grant == .client && isAboutClient(code))
      else { return unusable(reply, code, setting) }
      if grant == .password, !badCredentials.contains(code) {
        return pageWanted(reply, code, endpoint)
      }
      return isAboutClient(code)
        ? configuration(reply, code, setting) : refusal(grant, reply, code, setting)
    case .unauthorised, .forbidden, .refused:
      if reply.body.isEmpty, reply.status == 401, emptyRefusesClient, grant != .refresh {
        return configuration(reply, nil, setting)
      }
      if let code, isAboutClient(code) { return configuration(reply, code, setting) }
      return known(reply, grant, code, endpoint, setting)
    }
  }

  /// Whether an error code is about what is set for the application here or at the server.
  private static func isAboutClient(_ code: String) -> Bool {
    client.contains(code) || registration.contains(code)
  }

  /// An answer that neither grants nor refuses.
  static func unusable(
    _ reply: HTTPReply, _ code: String?, _ setting: String, _ unread: Fault = .answer
  ) -> GatebookError {
    let members = JSONDocument.read(reply.body)?.object
    let isGrant = members != nil && setting == tokenEndpoint && unread == .answer
    let fault = isGrant ? .grant : unread
    var message = fault.sentence(of: "the \(setting)")
    var remedy = "Ask the server's administrator."
    if isFormEncoded(reply) {
      message += " It is form-encoded (name=value), not JSON."
      remedy = "Ask the server's administrator for JSON answers (RFC 6749 section 5.1)."
    } else if let members, hasToken(reply), (members["token_type"] ?? .null) == .null {
      message += " Its answer has no token_type."
      remedy =
        "Ask the server's administrator: RFC 6749 section 5.1 demands a token_type, such as Bearer."
    } else if let members, hasToken(reply), !OAuth2Tokens.isScope(members["scope"]) {
      message += " The scope in its answer is neither a string nor a list of strings."
    }
    return .atLogin(
      .contentUnexpected, message, remedy: remedy, status: reply.status,
      serverCode: code
    ).faulting(fault)
  }

  /// Whether an answer has the members of a token endpoint's answer in form encoding, as servers
  /// gave it before RFC 6749.
  static func isFormEncoded(_ reply: HTTPReply) -> Bool {
    guard reply.body.count <= 64 << 10, JSONDocument.read(reply.body) == nil,
      let fields = FormFields(decoding: reply.body)
    else { return false }
    return fields.fields.contains { $0.name == "access_token" || $0.name == "error" }
  }

  private static func known(
    _ reply: HTTPReply, _ grant: Grant, _ code: String?, _ endpoint: HTTPURL, _ setting: String
  ) -> GatebookError {
    let isRefusal = [400, 401, 403].contains(reply.status)
    switch grant {
    case .code: return refusal(grant, reply, code, setting)
    case .device:
      guard isRefusal else { return .refused(reply, by: endpoint, code) }
      return refusal(grant, reply, code, setting)
    case .client:
      guard isRefusal, code != nil || reply.body.isEmpty else {
        return .refused(reply, by: endpoint, code)
      }
      return configuration(reply, code, setting)
    case .password:
      // Liferay answers an unknown client with invalid_request and this description.
      if code == "invalid_request", describes(reply, unknownClient) {
        return configuration(reply, code, setting)
      }
      guard isRefusal, code.map(badCredentials.contains) ?? reply.body.isEmpty else {
        if let code { return pageWanted(reply, code, endpoint) }
        return .refused(reply, by: endpoint, code)
      }
      return refusal(grant, reply, code, setting)
    case .refresh: return refused(reply, code, endpoint, setting)
    }
  }

  /// A refusal of a login by password that is not about the password; on a page the server can ask
  /// for what it wants.
  private static func pageWanted(
    _ reply: HTTPReply, _ code: String, _ endpoint: HTTPURL
  ) -> GatebookError {
    guard onPage.contains(code) else { return .refused(reply, by: endpoint, code) }
    return .atLogin(
      .serverRefused,
      "The server does not accept a password alone (\(code)). It did not say that the password is wrong.",
      remedy: "Log in on the server's page, or ask its administrator.", status: reply.status,
      serverCode: code)
  }

  private static let onPage = ["login_required", "interaction_required", "consent_required"]

  private static func refusal(
    _ grant: Grant, _ reply: HTTPReply, _ code: String?, _ setting: String
  ) -> GatebookError {
    switch grant {
    case .code:
      .atLogin(
        .codeRefused,
        // RFC 9449 section 11.1: servers limit the time in which a proof is good.
        remedy: code == "invalid_dpop_proof"
          ? "Check this machine's clock: the DPoP proof contains its time. Then log in again."
          : "Log in again: a code works only once.",
        status: reply.status, serverCode: code)
    case .password: .credentialsRefused(status: reply.status, serverCode: code)
    case .device: deviceRefusal(reply, code)
    case .client: configuration(reply, code, setting)
    case .refresh: refreshRefused(reply, code)
    }
  }

  /// RFC 8628 section 3.5.
  private static func deviceRefusal(_ reply: HTTPReply, _ code: String?) -> GatebookError {
    switch code {
    // The second name is Microsoft Entra's.
    case "access_denied", "authorization_declined":
      .atLogin(
        .challengeCancelled, FailureCode.deniedOnPage.asSentence, remedy: "Log in again and agree.",
        status: reply.status, serverCode: code)
    // GitHub's documentation has both names.
    case "expired_token", "token_expired":
      .atLogin(
        .challengeTimedOut, "The code was not entered in time.", remedy: "Log in again.",
        status: reply.status, serverCode: code)
    default:
      .atLogin(.codeRefused, remedy: "Log in again.", status: reply.status, serverCode: code)
    }
  }

  static func configuration(
    _ reply: HTTPReply, _ code: String?, _ setting: String
  ) -> GatebookError {
    var message = "The server does not know this client, or does not allow it this login."
    var remedy = "Check the client ID, its secret, its scopes and its permissions at the server."
    if code == "invalid_scope" {
      message = "The \(setting) does not grant this client the requested scopes."
      remedy = "Request scopes that the server allows this client."
    } else if let code, !client.contains(code), !describes(reply, unknownClient) {
      message = "The \(setting) rejected the request."
      remedy =
        "Check the client's registration at the server: its redirect URI and its scopes."
    }
    return .atLogin(
      .configurationInvalid, message, remedy: remedy, status: reply.status, serverCode: code)
  }

  /// The error code of an answer (RFC 6749 section 5.2); judged by content.
  static func code(in reply: HTTPReply) -> String? {
    JSONDocument.read(reply.body)?.object?["error"]?.text
  }

  /// Whether a token is there that Gatebook cannot use: such an answer refuses nothing.
  static func hasToken(_ reply: HTTPReply) -> Bool {
    let token = JSONDocument.read(reply.body)?.object?["access_token"]
    return token != nil && token != .null
  }

  private static func describes(_ reply: HTTPReply, _ text: String) -> Bool {
    JSONDocument.read(reply.body)?.object?["error_description"]?.text == text
  }
}
