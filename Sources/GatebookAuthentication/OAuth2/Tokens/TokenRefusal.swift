internal import GatebookEvents

/// What an answer of the token endpoint that grants nothing means, by what was asked.
///
/// Source: RFC 6749 section 5.2, and what servers really answer.
struct TokenRefusal {
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

  let reply: HTTPReply
  private let grant: Grant
  let endpoint: HTTPURL
  /// What the endpoint is called.
  let setting: String
  /// What the answer says, if it is a JSON object.
  let members: Facts?
  /// Its error code (RFC 6749 section 5.2).
  let code: String?

  private init(_ reply: HTTPReply, _ grant: Grant, _ endpoint: HTTPURL, _ setting: String) {
    self.reply = reply
    self.grant = grant
    self.endpoint = endpoint
    self.setting = setting
    members = JSONDocument.read(reply.body)?.object
    code = members?["error"]?.text
  }

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
    TokenRefusal(reply, grant, endpoint, setting).error(emptyRefusesClient: emptyRefusesClient)
  }

  private func error(emptyRefusesClient: Bool) -> GatebookError {
    switch StatusClass(reply.status) {
    case .redirected, .misplaced, .unavailable:
      return .answered(reply, at: endpoint, setting: setting)
    case .accepted where grant == .refresh: return accepted
    case .accepted:
      // Some servers refuse with a 200. A code is good once, whatever its refusal is called.
      let isCode = grant == .code || grant == .device
      guard reply.status == 200, let code, !hasToken,
        Self.terminal.contains(code) || isCode || (grant == .client && isAboutClient)
      else { return unusable() }
      if grant == .password, !Self.badCredentials.contains(code) { return pageWanted(code) }
      return isAboutClient ? configuration : refusal
    case .unauthorised, .forbidden, .refused:
      if reply.body.isEmpty, reply.status == 401, emptyRefusesClient, grant != .refresh {
        return configuration
      }
      return isAboutClient ? configuration : known
    }
  }

  /// Whether the error code is about what is set for the application here or at the server.
  private var isAboutClient: Bool {
    code.map { Self.client.contains($0) || Self.registration.contains($0) } ?? false
  }

  /// Whether a token is there that Gatebook cannot use: such an answer refuses nothing.
  var hasToken: Bool { (members?["access_token"] ?? .null) != .null }

  /// An answer that neither grants nor refuses.
  func unusable(_ unread: Fault = .answer) -> GatebookError {
    let isGrant = members != nil && setting == Self.tokenEndpoint && unread == .answer
    let fault = isGrant ? .grant : unread
    var message = fault.sentence(of: "the \(setting)")
    var remedy = "Ask the server's administrator."
    if Self.isFormEncoded(reply) {
      message += " It is form-encoded (name=value), not JSON."
      remedy = "Ask the server's administrator for JSON answers (RFC 6749 section 5.1)."
    } else if hasToken, (members?["token_type"] ?? .null) == .null {
      message += " Its answer has no token_type."
      remedy =
        "Ask the server's administrator: RFC 6749 section 5.1 demands a token_type, such as Bearer."
    } else if hasToken, !OAuth2Tokens.isScope(members?["scope"]) {
      message += " The scope in its answer is neither a string nor a list of strings."
    }
    return .atLogin(
      .contentUnexpected, message, remedy: remedy, status: reply.status, serverCode: code
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

  /// A 4xx that is not about the client.
  private var known: GatebookError {
    let isRefusal = [400, 401, 403].contains(reply.status)
    switch grant {
    case .code: return refusal
    case .device: return isRefusal ? refusal : .refused(reply, by: endpoint, code)
    case .client:
      guard isRefusal, code != nil || reply.body.isEmpty else {
        return .refused(reply, by: endpoint, code)
      }
      return configuration
    case .password:
      // Liferay answers an unknown client with invalid_request and this description.
      if code == "invalid_request", namesUnknownClient { return configuration }
      guard isRefusal, code.map(Self.badCredentials.contains) ?? reply.body.isEmpty else {
        return code.map { pageWanted($0) } ?? .refused(reply, by: endpoint)
      }
      return refusal
    case .refresh: return refused
    }
  }

  /// A refusal of a login by password that is not about the password; on a page the server can ask
  /// for what it wants.
  private func pageWanted(_ code: String) -> GatebookError {
    guard Self.onPage.contains(code) else { return .refused(reply, by: endpoint, code) }
    return .atLogin(
      .serverRefused,
      "The server does not accept a password alone (\(code)). It did not say that the password is wrong.",
      remedy: "Log in on the server's page, or ask its administrator.", status: reply.status,
      serverCode: code)
  }

  private static let onPage = ["login_required", "interaction_required", "consent_required"]

  private var refusal: GatebookError {
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
    case .device: deviceRefusal
    case .client: configuration
    case .refresh: refreshRefused(code)
    }
  }

  /// RFC 8628 section 3.5.
  private var deviceRefusal: GatebookError {
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

  /// A refusal of the application, or of what it asked for.
  var configuration: GatebookError {
    var message = "The server does not know this client, or does not allow it this login."
    var remedy = "Check the client ID, its secret, its scopes and its permissions at the server."
    if code == "invalid_scope" {
      message = "The \(setting) does not grant this client the requested scopes."
      remedy = "Request scopes that the server allows this client."
    } else if let code, !Self.client.contains(code), !namesUnknownClient {
      message = "The \(setting) rejected the request."
      remedy =
        "Check the client's registration at the server: its redirect URI and its scopes."
    }
    return .atLogin(
      .configurationInvalid, message, remedy: remedy, status: reply.status, serverCode: code)
  }

  private var namesUnknownClient: Bool {
    members?["error_description"]?.text == Self.unknownClient
  }

  /// The error code of an answer (RFC 6749 section 5.2); judged by content.
  static func code(in reply: HTTPReply) -> String? {
    JSONDocument.read(reply.body)?.object?["error"]?.text
  }
}
