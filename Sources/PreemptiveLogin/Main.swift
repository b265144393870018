internal import Gatebook
internal import Glibc
internal import SampleStage

/// Log in before the server asks, then look at the balance.
@main struct Main {
  @MainActor static func main() async {
    exit(
      await SampleStage.run("PreemptiveLogin") { stage throws(GatebookError) in
        try await Bank(stage).open()
      })
  }
}
