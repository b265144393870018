internal import Gatebook
internal import SampleStage

/// The app: greets whom the server remembers, and shows everybody else the form.
@MainActor final class Doorman {
  private let screens: CheckScreens<RememberForm>
  private let book: SessionBook

  init(_ stage: SampleStage) async throws(GatebookError) {
    book = stage.book
    screens = try await CheckScreens(stage, account: try await Self.lastAccount(stage)) {
      RememberForm(challenged: $0)
    }
  }

  /// The account of the last run, resumed without the network; `nil` when nobody is logged in.
  private static func lastAccount(
    _ stage: SampleStage
  ) async throws(GatebookError) -> AccountID? {
    guard let last = try await stage.book.currentContext(), last.state.isUsable,
      last.server == stage.app.server.origin.description
    else { return nil }
    return try await stage.book.restore(last.account).account
  }

  /// Opens the door; returns when the person leaves.
  func open() async throws(GatebookError) {
    enter()
    try await screens.play { turn throws(GatebookError) in try await show(turn) }
  }

  private func show(_ turn: CheckScreens<RememberForm>.Turn) async throws(GatebookError) -> Bool {
    switch turn {
    case .challenged: return await screens.press()
    case .entered, .told:
      Terminal.say("Hello, \(try await displayName()).")
      return screens.choose()
    case .loggedOut(let outcome): return try await screens.say(outcome)
    case .failed(let error) where error.code == .challengeCancelled: return false
    case .failed(let error):
      // The form has said already why the check refuses.
      if error.code != .challengeBlocked { Terminal.say(error) }
      if error.code == .identityMismatch { try await screens.welcomeSomebodyElse() }
      return await screens.press()
    }
  }

  /// Tries to come in without a form: with a token that still lives, or by the server's memory.
  private func enter() {
    let manager = screens.manager
    screens.call { () throws(GatebookError) in
      _ = try await manager.obtainAccessToken(forScope: RememberForm.check)
      return .entered
    }
  }

  /// The name is in the book, so it is there without the network; a logout removes it.
  private func displayName() async throws(GatebookError) -> String {
    guard let account = await screens.manager.account else { return "stranger" }
    return try await book.context(of: account).user["displayName"] ?? "stranger"
  }
}
