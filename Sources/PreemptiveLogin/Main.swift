internal import Gatebook
internal import GatebookSystem
internal import SampleStage

/// Log in before the server asks, then look at the balance.
@main struct Main {
  @MainActor static func main() async {
    ThisProcess.exit(
      await SampleStage.run("PreemptiveLogin") { stage throws(GatebookError) in
        try await Bank(stage).open()
      })
  }
}
