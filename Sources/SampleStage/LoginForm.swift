package import Gatebook

/// The form of the security check `UserLogin`: shows what the server says of the answers, and is
/// filled in by the person.
@MainActor package final class LoginForm: ChallengeHandler {
  /// The check's exact name at the server.
  package static let check = "UserLogin"

  /// Whom the check has authenticated; `nil` while the form has to be filled in.
  private(set) var displayName: String?
  private let asksToRemember: Bool
  private let challenged: @MainActor () -> Void

  /// Makes a form.
  ///
  /// - Parameters:
  ///   - asksToRemember: Whether it has a switch for the server's memory.
  ///   - challenged: Brings the person to the form.
  init(asksToRemember: Bool, challenged: @escaping @MainActor () -> Void) {
    self.asksToRemember = asksToRemember
    self.challenged = challenged
  }

  package func handleChallenge(_ challenge: SecurityCheckChallenge) async {
    displayName = nil
    // Empty at the first challenge: nothing was answered yet.
    if !challenge.errorMessage.isEmpty { Terminal.say(challenge.errorMessage) }
    if let remaining = challenge.remainingAttempts {
      Terminal.say("Remaining Attempts: \(remaining)")
    }
    challenged()
  }

  package func handleSuccess(_ success: SecurityCheckSuccess) async {
    displayName = success.user?.displayName
  }

  package func handleFailure(_ failure: SecurityCheckFailure) async {
    displayName = nil
    Terminal.say(failure.reason)
  }

  /// Forgets who logged in.
  func clear() {
    displayName = nil
  }

  /// Asks for name and password until both are there, and for the switch.
  ///
  /// - Returns: The answer; `nil` when the person does not want to.
  func fillIn() -> ChallengeAnswer? {
    while let name = Terminal.askName(), let password = Terminal.askHidden("Password") {
      guard !name.isEmpty, !password.isEmpty else {
        Terminal.say("Give both.")
        continue
      }
      guard asksToRemember else { return ChallengeAnswer(username: name, password: password) }
      return Terminal.confirm("Remember me").map {
        ChallengeAnswer(username: name, password: password, rememberMe: $0)
      }
    }
    return nil
  }
}
