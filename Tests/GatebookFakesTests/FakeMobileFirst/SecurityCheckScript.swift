import Gatebook

@testable import GatebookFakes

/// Runs one security check through time.
///
/// A step is `"<ms> <input>"`: `-` no credentials, `x` wrong ones, `j` right ones, `r` right ones
/// with the wish to be remembered, `d` right ones that decline it, `o` a logout.
enum SecurityCheckScript {
  /// The settings that scripts name.
  enum Settings: String {
    case sample
    case base
    case longMemory
    case noMemory

    var settings: FakeSecurityCheckSettings {
      var sample = FakeSecurityCheckSettings.userLoginSample
      switch self {
      case .sample: break
      case .base: return FakeSecurityCheckSettings()
      case .longMemory: sample.rememberMeDuration = .seconds(300)
      case .noMemory: sample.rememberMeDuration = .zero
      }
      return sample
    }
  }

  /// What the check told at every step: `ask<remaining>`, `wrong<remaining>`,
  /// `ok<authenticated at>`, `blocked`, or nothing.
  static func run(
    _ steps: [String], by settings: FakeSecurityCheckSettings
  ) -> [String] {
    var state = SecurityCheckState()
    return steps.map { step in
      let words = step.split(separator: " ")
      let now = Timestamp(rawValue: (Int64(words[0]) ?? 0) * 1000)
      let user = FakeMobileFirstIdentity(
        id: "john", displayName: "john", authenticatedAt: now, authenticatedBy: "UserLogin")
      let verdict: CredentialsVerdict?
      switch words[1] {
      case "x": verdict = .wrong("Wrong Credentials")
      case "j": verdict = .valid(user, remember: nil)
      case "r": verdict = .valid(user, remember: true)
      case "d": verdict = .valid(user, remember: false)
      case "o":
        state.logOut(at: now)
        return ""
      default: verdict = nil
      }
      return text(state.evaluate(verdict, by: settings, at: now))
    }
  }

  private static func text(_ outcome: SecurityCheckState.Outcome) -> String {
    switch outcome {
    case .success(let user): "ok\(user?.authenticatedAt.milliseconds ?? -1)"
    case .challenge(let message, let remaining): (message == nil ? "ask" : "wrong") + "\(remaining)"
    case .blocked: "blocked"
    }
  }
}
