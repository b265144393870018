internal import Gatebook
internal import GatebookSystem
internal import SampleStage

/// Come back without a form, as long as the server remembers; everybody else meets the form.
@main struct Main {
  @MainActor static func main() async {
    ThisProcess.exit(
      await SampleStage.run("RememberMe") { stage throws(GatebookError) in
        let screens = try await CheckScreens(
          stage, account: try await lastAccount(stage), asksToRemember: true)
        let manager = screens.manager
        screens.call { () throws(GatebookError) in
          // With a token that still lives, or by the server's memory.
          _ = try await manager.obtainAccessToken(forScope: LoginForm.check)
          return .entered
        }
        try await screens.play()
      })
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
}
