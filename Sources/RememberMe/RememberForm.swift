internal import Gatebook
internal import SampleStage

/// The form of the security check `UserLogin`, with a switch for the server's memory.
@MainActor final class RememberForm: CheckForm {
  /// The check's exact name at the server.
  static let check = "UserLogin"

  private let challenged: @MainActor () -> Void

  /// Makes a form.
  ///
  /// - Parameter challenged: Brings the person to the form.
  init(challenged: @escaping @MainActor () -> Void) {
    self.challenged = challenged
  }

  func handleChallenge(_ challenge: SecurityCheckChallenge) async {
    // Empty at the first challenge: nothing was answered yet.
    if !challenge.errorMessage.isEmpty { Terminal.say(challenge.errorMessage) }
    if let remaining = challenge.remainingAttempts {
      Terminal.say("Remaining Attempts: \(remaining)")
    }
    challenged()
  }

  func handleFailure(_ failure: SecurityCheckFailure) async {
    Terminal.say(failure.reason)
  }

  /// Asks for name, password and the switch.
  ///
  /// - Returns: The answer; `nil` when the person does not want to.
  func fillIn() -> ChallengeAnswer? {
    guard let name = Terminal.askName(), let password = Terminal.askHidden("Password"),
      let remembers = Terminal.confirm("Remember me")
    else { return nil }
    return ChallengeAnswer(username: name, password: password, rememberMe: remembers)
  }
}
