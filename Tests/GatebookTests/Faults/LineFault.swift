import GatebookFakes

/// What goes wrong on the way between a book and its server.
enum LineFault: String, CaseIterable, Sendable {
  case refused, closed, reset, truncated, held, serverError, tooManyRequests, captivePortal, twice
  /// It only takes longer than usual.
  case delayed

  /// One of each kind, as a book sees them: not sent, no answer, in trouble, another's answer, a
  /// refusal.
  static let kinds: [LineFault] = [.refused, .reset, .serverError, .captivePortal, .twice]

  /// Those after which nobody knows whether the server acted, and it did.
  static let spending: [LineFault] = [.reset, .truncated, .held]

  /// What the proxy does; `nil` where it is not even there.
  var proxyFault: LoopbackFault? {
    switch self {
    case .refused: nil
    case .closed: .dropBeforeActing
    case .reset: .resetAfterActing
    case .truncated: .halve
    case .held: .hold
    case .serverError: .status(500)
    case .tooManyRequests: .status(429, retryAfter: 30)
    case .captivePortal: .page()
    case .twice: .actTwice
    case .delayed: .delay(.milliseconds(30))
    }
  }
}
