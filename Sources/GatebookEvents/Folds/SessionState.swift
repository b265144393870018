/// Whether an account can be used now, and if not, why.
public enum SessionState: Hashable, Sendable {
  /// Usable.
  case active
  /// Resumed from the log; the server last confirmed it at the given time.
  case offline(lastVerified: Timestamp)
  /// Waits for the answer to a challenge.
  case challenged
  /// A renewal was sent and its answer is not known.
  case uncertain
  /// Only a new login helps.
  case needsLogin(EndReason)
  /// The user, a policy or an erase ended it.
  case ended(EndReason)

  /// The state's name in JSON and in the book.
  public var name: String {
    switch self {
    case .active: "active"
    case .offline: "offline"
    case .challenged: "challenged"
    case .uncertain: "uncertain"
    case .needsLogin: "needsLogin"
    case .ended: "ended"
    }
  }

  /// Why the session is no longer usable; `nil` while it is.
  public var reason: EndReason? {
    switch self {
    case .active, .offline, .challenged, .uncertain: nil
    case .needsLogin(let reason), .ended(let reason): reason
    }
  }

  /// Whether requests may be sent with it.
  public var isUsable: Bool {
    switch self {
    case .active, .offline, .uncertain: true
    case .challenged, .needsLogin, .ended: false
    }
  }
}
