internal import Gatebook
internal import SampleStage

/// The form of the security check `UserLogin`: shows what the server says of the answers.
@MainActor final class LoginForm: CheckForm {
  /// The check's exact name at the server.
  static let check = "UserLogin"

  /// Whom the check has authenticated; `nil` while the form has to be filled in.
  private(set) var displayName: String?
  private let challenged: @MainActor () -> Void

  /// Makes a form.
  ///
  /// - Parameter challenged: Brings the person to the form.
  init(challenged: @escaping @MainActor () -> Void) {
    self.challenged = challenged
  }

  func handleChallenge(_ challenge: SecurityCheckChallenge) async {
    displayName = nil
    // Empty at the first challenge: nothing was answered yet.
    if !challenge.errorMessage.isEmpty { Terminal.say(challenge.errorMessage) }
    if let remaining = challenge.remainingAttempts {
      Terminal.say("Remaining Attempts: \(remaining)")
    }
    challenged()
  }

  func handleSuccess(_ success: SecurityCheckSuccess) async {
    displayName = success.user?.displayName
  }

  func handleFailure(_ failure: SecurityCheckFailure) async {
    displayName = nil
    Terminal.say(failure.reason)
  }

  /// Forgets who logged in.
  func clear() {
    displayName = nil
  }

  /// Asks for name and password until both are there.
  ///
  /// - Returns: The answer; `nil` when the person does not want to.
  func fillIn() -> ChallengeAnswer? {
    while true {
      guard let name = Terminal.askName(), let password = Terminal.askHidden("Password") else {
        return nil
      }
      guard name.isEmpty || password.isEmpty else {
        return ChallengeAnswer(username: name, password: password)
      }
      Terminal.say("Give both.")
    }
  }
}
