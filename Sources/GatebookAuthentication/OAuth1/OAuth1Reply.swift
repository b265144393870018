internal import GatebookCrypto
package import GatebookEvents

/// The form-encoded answer of a token endpoint (RFC 5849 sections 2.1 and 2.3).
package struct OAuth1Reply: Sendable {
  /// The most bytes of a body; more is no answer of a token endpoint.
  package static let maximumSize = 16 << 10

  private let status: Int
  private let fields: FormFields

  /// Reads an answer.
  ///
  /// - Parameter reply: The answer to a request for a token.
  /// - Throws: `content.unexpected` for another status than 2xx, a body that is too long or no
  ///   form, or a parameter that occurs twice: it is unclear which one counts.
  package init(_ reply: HTTPReply) throws(GatebookError) {
    guard case .accepted = StatusClass(reply.status) else {
      throw Self.unexpected("it says \(reply.status)", reply)
    }
    guard reply.body.count <= Self.maximumSize else {
      throw Self.unexpected("it is longer than \(Self.maximumSize) bytes", reply)
    }
    guard let fields = Self.fields(of: reply.body), !fields.hasRepetition else {
      throw Self.unexpected("it is not a form with unique parameters", reply)
    }
    status = reply.status
    self.fields = fields
  }

  /// The decoded value of a parameter; `nil` if it is missing.
  package subscript(name: String) -> String? { fields[name] }

  /// Whether the server knows the callback (RFC 5849 section 2.1); some write `True`.
  package var isCallbackConfirmed: Bool {
    self["oauth_callback_confirmed"]?.equalsIgnoringCase("true") == true
  }

  /// The temporary credentials of a login.
  ///
  /// - Parameter requiringConfirmation: Whether `oauth_callback_confirmed` must be there; a server
  ///   without it speaks OAuth 1.0, where another person's login can be slipped in.
  /// - Returns: The temporary token.
  /// - Throws: `content.unexpected` if a part is missing.
  package func temporaryToken(
    requiringConfirmation: Bool = true
  ) throws(GatebookError) -> OAuth1Token {
    guard isCallbackConfirmed || !requiringConfirmation else {
      throw .atLogin(
        .contentUnexpected, "The server did not confirm the callback, which OAuth 1.0a requires.",
        remedy: "Update the server. For an old server that you trust, a setting can allow this.",
        status: status)
    }
    return try token()
  }

  /// The token credentials, temporary or a session's.
  ///
  /// - Returns: The token; its secret may be empty.
  /// - Throws: `content.unexpected` if one of the two is missing, or the token is empty.
  package func token() throws(GatebookError) -> OAuth1Token {
    guard let token = self["oauth_token"], !token.isEmpty,
      let secret = self["oauth_token_secret"]
    else {
      throw .unexpected(
        "The server's answer contains no token with its secret.",
        remedy: "Check that the URL is a token endpoint of OAuth 1.0a.", status: status
      ).faulting(.endpoint)
    }
    return OAuth1Token(token: Secret(token), secret: Secret(secret))
  }

  /// The fields of a body; `nil` for one that is too long or no form; a line end does not count.
  static func fields(of body: [UInt8]) -> FormFields? {
    guard body.count <= maximumSize else { return nil }
    let end = body.lastIndex { !"\r\n".utf8.contains($0) }.map { $0 + 1 } ?? 0
    return FormFields(decoding: body[..<end])
  }

  private static func unexpected(_ reason: String, _ reply: HTTPReply) -> GatebookError {
    .unexpected(
      "The server's answer is not from a token endpoint: \(reason).",
      remedy: "Check that the URL is a token endpoint of OAuth 1.0a.", status: reply.status
    ).faulting(.endpoint)
  }
}

/// A refusal that names its reason, by the Problem Reporting extension of OAuth 1.0a.
package struct OAuth1Problem: Hashable, Sendable {
  /// The code for a timestamp outside the server's window.
  package static let timestampRefused = "timestamp_refused"

  /// The value of `oauth_problem`, such as `nonce_used`: `[a-z0-9_.-]{1,64}`.
  package let code: String

  /// What is wrong with a request, or the application, and says nothing of the token.
  private static let ofRequest: Set<String> = [
    timestampRefused, "nonce_used", "version_rejected", "parameter_absent", "parameter_rejected",
    "signature_method_rejected", "consumer_key_unknown", "consumer_key_rejected",
    "consumer_key_refused",
  ]

  /// Whether the token may be as good as it was: what was refused is the time, the nonce or the
  /// form of the request, or the application.
  package var isOfRequest: Bool { Self.ofRequest.contains(code) }

  /// The refusal of a request whose token may be as good as it was.
  ///
  /// - Parameters:
  ///   - reply: The answer.
  ///   - url: What was asked.
  /// - Returns: `nil` where the answer may be about the token.
  static func refusal(_ reply: HTTPReply, by url: HTTPURL) -> GatebookError? {
    guard let problem = OAuth1Problem(reply), problem.isOfRequest else { return nil }
    guard problem.code == timestampRefused else { return .refused(reply, by: url, problem.code) }
    return .atLogin(
      .serverRefused, .clock, remedy: "Compare this machine's clock with the server's.",
      status: reply.status, serverCode: problem.code)
  }

  /// Reads the report of an answer, from `WWW-Authenticate` or the body; `nil` without one.
  package init?(_ reply: HTTPReply) {
    let named = reply.challenges.filter { $0.scheme == "oauth" }
      .compactMap { $0["oauth_problem"] }.first
    guard let code = named ?? OAuth1Reply.fields(of: reply.body)?["oauth_problem"],
      GatebookError.isErrorCode(code)
    else { return nil }
    self.code = code
  }
}
