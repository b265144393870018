/// When a request waits for a renewal that is due but not yet needed.
///
/// Once a session is nearly over, every request waits for its renewal.
public enum RenewalPolicy: Sendable {
  /// Never: the old token serves while one renewal runs beside it. For apps that go on running.
  case inBackground
  /// Always, and the old token serves if the renewal fails. For programs that end after their work.
  case beforeUse
}
