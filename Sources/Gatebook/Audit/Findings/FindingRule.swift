/// The rules that findings come from, each with its threshold.
public enum FindingRule: String, Hashable, Sendable, CaseIterable {
  /// Five times `credentials.refused` within ten minutes, for one account or one typed name at one
  /// server.
  case passwordGuessing = "password.guessing"
  /// One refresh token that was sent more than once: again though it had been exchanged for another
  /// one, or once more because no answer had come to it; and one that somebody else has used, as far as the
  /// server says so or all tokens of the login are dead at once.
  case tokenReuse = "token.reuse"
  /// Ten renewals of one account within a minute, all granted by its server.
  case refreshStorm = "refresh.storm"
  /// A session that can be used, though nothing has happened with it for thirty days.
  case endlessSession = "session.endless"
  /// The wall clock jumped by a minute or more, or the server's differs from it by so much.
  case clockJump = "clock.jump"
  /// Somebody decided to trust what is not trusted by itself: a key, an origin, cleartext.
  case trustDecision = "trust.decision"
  /// Credentials are saved, and the book's key is no better kept than in a file.
  case weakKey = "key.weak"

  /// The threshold, in plain words.
  public var threshold: String {
    switch self {
    case .passwordGuessing:
      "5 refused passwords within 10 minutes, for one account or one typed name at one server"
    case .tokenReuse: "a refresh token that was sent more than once, or may have been stolen"
    case .refreshStorm: "10 renewals of one account within a minute that its server granted"
    case .endlessSession: "a session that can be used and had no event for 30 days"
    case .clockJump: "a jump of the clock, or a distance to the server's, of a minute or more"
    case .trustDecision: "each decision to trust a key, an origin or cleartext"
    case .weakKey: "saved credentials while the book's key is in a file or another weak place"
    }
  }

  /// What to do about such a finding.
  public var remedy: String {
    switch self {
    case .passwordGuessing:
      "Ask the person whether it was them; if not, change the password and look at the server's "
        + "own log."
    case .tokenReuse:
      "Find out whether a copy of the book is in use elsewhere; log the account out and in again "
        + "if it was not you."
    case .refreshStorm:
      "Look which program renews so often and why; the server may lock the account out."
    case .endlessSession: "Log the account out if nobody needs it any more."
    case .clockJump:
      "Set whichever clock is wrong, this machine's or the server's, and let a time service keep it."
    case .trustDecision:
      "Check that the decision was meant, and take it back when it is not needed any more."
    case .weakKey:
      "Move the book's key to the keyring or behind a passphrase, or remove the saved credentials."
    }
  }
}
