internal import Gatebook
internal import Glibc
internal import SampleStage

/// Come back without a form, as long as the server remembers.
@main struct Main {
  @MainActor static func main() async {
    exit(
      await SampleStage.run("RememberMe") { stage throws(GatebookError) in
        try await Doorman(stage).open()
      })
  }
}
