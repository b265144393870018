/// Whether a request waits for a renewal that is due but not yet needed.
///
/// Once a session is about to expire, every request waits for its renewal.
public enum RenewalPolicy: Sendable {
  /// Never: the old token is used while one renewal runs in the background. For apps that keep
  /// running.
  case inBackground
  /// Always; the old token is used if the renewal fails. For programs that end after their work.
  case beforeUse
}
