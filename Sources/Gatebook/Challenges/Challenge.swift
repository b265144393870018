/// Something a server, or what stands in front of it, wants to know before it answers.
public struct Challenge: Sendable {
  /// What is asked.
  public enum Question: Sendable, Hashable {
    /// Name and password, by a scheme such as `basic` or `digest` (RFC 9110 section 11).
    case credentials(scheme: String, realm: String?)
    /// What no name and password answers: a token, a signature or a security check, by a scheme such
    /// as `bearer`, `oauth` or `mfp-challenge`.
    ///
    /// The login method has it, or gets it; ``ChallengeDecision/performDefaultHandling`` lets it.
    case token(scheme: String, realm: String?)
    /// Whether a certificate with defects is accepted.
    case serverTrust(ServerCertificate)
  }

  /// What is asked.
  public let question: Question
  /// Who asks: the server, or the proxy on the way to it.
  public let server: Origin
  /// Whether a proxy asks (RFC 9110 section 11.7); its credential goes to no server.
  public let isProxy: Bool
  /// The account for which the request was sent; `nil` in a login of nobody known.
  public let account: AccountID?
  /// The session or login attempt that the request belongs to; `nil` for a request of an
  /// ``AuthorizationManager`` that has neither yet.
  public let session: SessionID?
  /// How many credentials this protection space has refused in this request or login: given ones,
  /// and what the method sent again by itself, such as a renewed token.
  public let previousFailureCount: Int
}
