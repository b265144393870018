internal import Gatebook
internal import SampleStage

/// The app: a login form, then a balance.
@MainActor final class Bank {
  private let screens: CheckScreens<LoginForm>
  private let balance: HTTPURL
  private var form: LoginForm { screens.form }

  init(_ stage: SampleStage) async throws(GatebookError) {
    balance = stage.balance
    screens = try await CheckScreens(stage) { LoginForm(challenged: $0) }
  }

  /// Opens the bank; returns when the person leaves.
  func open() async throws(GatebookError) {
    guard await screens.press() else { return }
    try await screens.play { turn throws(GatebookError) in try await show(turn) }
  }

  private func show(_ turn: CheckScreens<LoginForm>.Turn) async throws(GatebookError) -> Bool {
    switch turn {
    case .challenged: return await screens.press()
    case .entered:
      Terminal.say("Hello, \(form.displayName ?? "stranger").")
      return choose()
    case .told(let text):
      Terminal.say(text)
      return choose()
    case .loggedOut(let outcome):
      form.clear()
      return try await screens.say(outcome)
    case .failed(let error) where error.code == .challengeCancelled: return false
    case .failed(let error):
      // The form has said already why the check refuses.
      if error.code != .challengeBlocked { Terminal.say(error) }
      return form.displayName == nil ? await screens.press() : choose()
    }
  }

  /// The buttons of somebody who has logged in.
  private func choose() -> Bool {
    screens.choose(["balance"]) { _ in
      let manager = screens.manager
      let balance = balance
      // The session may have run out: then the form comes back before the balance does.
      screens.call { () throws(GatebookError) in
        let reply = try await manager.send(.get(balance))
        let text = String(decoding: reply.body, as: UTF8.self)
        return .told(reply.status == 200 ? "Balance: \(text)" : "The server said \(reply.status).")
      }
    }
  }
}
