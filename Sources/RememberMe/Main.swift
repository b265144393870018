internal import Gatebook
internal import GatebookSystem
internal import SampleStage

/// Come back without a form, as long as the server remembers.
@main struct Main {
  @MainActor static func main() async {
    ThisProcess.exit(
      await SampleStage.run("RememberMe") { stage throws(GatebookError) in
        try await Doorman(stage).open()
      })
  }
}
