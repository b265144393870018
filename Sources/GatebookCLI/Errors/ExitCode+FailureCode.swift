internal import Gatebook

extension ExitCode {
  /// The exit of a failure.
  ///
  /// Whole families of codes are named by what stands before the dot, so a code that a later version
  /// adds to a family ends as the family does.
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
