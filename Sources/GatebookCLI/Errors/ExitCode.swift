internal import Gatebook

/// How `gatebook` ends: one number for each thing a script may want to tell apart.
enum ExitCode: Int32, CaseIterable, Sendable {
  case done = 0
  case failed = 1
  case usage = 2
  case loginNeeded = 3
  case serverTrouble = 4
  case damaged = 5
  case busy = 6
  case cannotOpen = 7
  case untrusted = 8
  case notRunnable = 126
  case notFound = 127
  case cancelled = 130

  /// What the number means, as help texts print it.
  var meaning: String {
    switch self {
    case .done: "done"
    case .failed:
      "failed otherwise (also: storage full; `doctor` or `findings --fail` found something)"
    case .usage: "wrong usage, unknown or ambiguous account"
    case .loginNeeded: "credentials rejected, login needed or unprovable, no account yet"
    case .serverTrouble: "server unreachable or failing; session kept"
    case .damaged: "book damaged or tampered with; `rebuild --check` differs"
    case .busy: "book busy for longer than `--wait`: try again"
    case .cannotOpen:
      "no book there, or it cannot be opened: newer version, key missing, wrong or locked, not readable"
    case .untrusted: "server not trusted: TLS, key changed, identity mismatch; foreign origin"
    case .notRunnable: "`exec`: the program cannot be run"
    case .notFound: "`exec`: the program does not exist"
    case .cancelled: "cancelled"
    }
  }
}

extension ExitCode {
  /// The exit of a failure.
  ///
  /// Whole families of codes are named by the part before the dot, so a code that a later version
  /// adds to a family gets the family's exit.
  init(_ code: FailureCode) {
    self =
      switch code {
      case .outcomeUnknown: .serverTrouble
      case .credentialsRefused, .codeRefused, .tokenRefused, .sessionRefused, .scopeMissing:
        .loginNeeded
      case .challengeCancelled, .cancelled: .cancelled
      case .storageDamaged, .fleetForked, .fleetMismatch, .fleetAhead, .fleetGap: .damaged
      case .storageBusy: .busy
      case .storageNewer, .storageNone, .storageReadOnly, .storageUnreadable: .cannotOpen
      case .fleetRefused: .loginNeeded
      case .fleetUnreachable, .fleetFull: .serverTrouble
      case .fleetMissing, .fleetNewer: .cannotOpen
      case .identityMismatch, .originForeign, .fleetUntrusted: .untrusted
      default:
        switch code.rawValue.prefix(while: { $0 != "." }) {
        case "login", "challenge": .loginNeeded
        case "network", "server": .serverTrouble
        case "key": .cannotOpen
        case "tls": .untrusted
        default: .failed
        }
      }
  }
}
