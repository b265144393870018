internal import Gatebook

extension SessionState {
  /// What the state's colour says.
  var paint: Paint {
    switch self {
    case .active: .good
    case .offline, .challenged, .uncertain: .warning
    case .needsLogin: .bad
    case .ended: .faint
    }
  }
}

extension SessionContext {
  /// The state in words, with what the clock adds to it.
  var stateText: String {
    // An account is added a moment before its first login succeeds.
    guard session != nil else { return "no session yet" }
    return state.text + (isPastOfflineLimit ? ", past its limit" : "")
  }
}
