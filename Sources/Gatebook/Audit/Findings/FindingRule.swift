/// The rules of findings, each with its threshold.
public enum FindingRule: String, Hashable, Sendable, CaseIterable {
  /// Five times `credentials.refused` within ten minutes, for one account or for one user name at
  /// one server.
  case passwordGuessing = "password.guessing"
  /// One refresh token that was sent more than once: after it had been exchanged for a new one, or
  /// because no answer had come. Also one that somebody else has used, if the server says so or all
  /// tokens of the login were revoked at once.
  case tokenReuse = "token.reuse"
  /// Ten renewals of one account within a minute, all granted by its server.
  case refreshStorm = "refresh.storm"
  /// A usable session without an event for thirty days.
  case endlessSession = "session.endless"
  /// The wall clock jumped by a minute or more, or the server's differs from it by so much.
  case clockJump = "clock.jump"
  /// A decision to trust a key, a further origin, or a connection without TLS.
  case trustDecision = "trust.decision"
  /// Credentials are saved while the book's key is only in a file.
  case weakKey = "key.weak"
  /// A request to a proxy without its capability, by another user's program, or for what the proxy
  /// was not started for.
  case proxyMisuse = "proxy.misuse"

  /// The threshold, in plain words.
  public var threshold: String {
    switch self {
    case .passwordGuessing:
      "5 rejected passwords within 10 minutes, for one account or for one user name at one server"
    case .tokenReuse: "a refresh token that was sent more than once or may have been stolen"
    case .refreshStorm: "10 successful renewals of one account within a minute"
    case .endlessSession: "a usable session without an event for 30 days"
    case .clockJump:
      "a jump of this machine's clock, or a difference to the server's, of a minute or more"
    case .trustDecision: "each decision to trust a key, an origin or a connection without TLS"
    case .weakKey:
      "saved credentials while the book's key is in a file or another unprotected place"
    case .proxyMisuse:
      "a request to a proxy without its capability, of another user, or beyond its limits"
    }
  }

  /// What to do about such a finding.
  public var remedy: String {
    switch self {
    case .passwordGuessing:
      "Ask the user whether it was them. If not, change the password and check the server's own log."
    case .tokenReuse:
      "Find out whether a copy of the book is in use elsewhere. If you did not do this, log the account "
        + "out and in again."
    case .refreshStorm:
      "Find out which program renews so often, and why: the server may lock the account."
    case .endlessSession: "Log the account out if it is no longer needed."
    case .clockJump:
      "Find out whether this machine's clock or the server's is wrong, and correct it with a time service."
    case .trustDecision:
      "Check that the decision was intended, and revoke it when it is no longer needed."
    case .weakKey:
      "Move the book's key to the keyring or to a passphrase, or remove the saved credentials."
    case .proxyMisuse:
      "Find out which program it was. The events `proxy.refused` name it where the system does."
    }
  }
}
