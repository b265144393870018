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
    if let exit = Self.exact[code] {
      self = exit
      return
    }
    let family = code.rawValue.prefix { $0 != "." }
    self = Self.families[String(family)] ?? .failed
  }

  private static let exact: [FailureCode: ExitCode] = [
    .outcomeUnknown: .serverTrouble,
    .credentialsRefused: .loginNeeded,
    .codeRefused: .loginNeeded,
    .tokenRefused: .loginNeeded,
    .sessionRefused: .loginNeeded,
    .scopeMissing: .loginNeeded,
    .challengeCancelled: .cancelled,
    .cancelled: .cancelled,
    .storageDamaged: .damaged,
    .storageBusy: .busy,
    .storageNewer: .cannotOpen,
    .storageNone: .cannotOpen,
    .storageReadOnly: .cannotOpen,
    .storageUnreadable: .cannotOpen,
    .identityMismatch: .untrusted,
    .originForeign: .untrusted,
  ]

  private static let families: [String: ExitCode] = [
    "login": .loginNeeded,
    "challenge": .loginNeeded,
    "network": .serverTrouble,
    "server": .serverTrouble,
    "key": .cannotOpen,
    "tls": .untrusted,
  ]
}
