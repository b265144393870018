internal import Gatebook
internal import GatebookEvents

/// The rules about one person on many machines.
enum PersonRule: CaseIterable {
  /// ``FleetRule/personGuessed``.
  case guessed
  /// ``FleetRule/personEverywhere``.
  case everywhere

  /// On how many machines a person's wrong passwords are too many.
  private static let guessedMachines = 3
  /// From how many machines a person's logins are too many.
  private static let everywhereMachines = 5
  /// Within this time; what follows within the same time belongs to it.
  static let window = Duration.seconds(3600)
  /// As few machines make no finding of any rule.
  static let fewestMachines = min(guessedMachines, everywhereMachines)

  var rule: FleetRule {
    switch self {
    case .guessed: .personGuessed
    case .everywhere: .personEverywhere
    }
  }

  /// How many machines are too many.
  var machines: Int {
    switch self {
    case .guessed: Self.guessedMachines
    case .everywhere: Self.everywhereMachines
    }
  }

  var severity: Finding.Severity {
    switch self {
    case .guessed: .alarm
    case .everywhere: .warning
    }
  }

  /// What happened.
  func title(_ machines: Int, at server: String) -> Sentence {
    switch self {
    case .guessed:
      """
      A wrong password of one person at \(server) was entered on \(Int64(machines)) machines in quick \
      succession.
      """
    case .everywhere:
      "One person logged in at \(server) from \(Int64(machines)) machines in quick succession."
    }
  }
}
