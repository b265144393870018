internal import Gatebook
internal import GatebookTestSupport

/// `gatebook demo`.
struct DemoCommand: Command {
  static let help = Help(
    "demo", "See how Gatebook works, on a book that is thrown away.", in: .story,
    details: [
      "Two built-in portals answer on 127.0.0.1. Nothing leaves the machine, nothing has to "
        + "be set up, and nothing remains afterwards.",
      "The demo uses its own accounts and ignores --account.",
    ],
    exits: [.done, .failed, .cancelled], examples: ["gatebook demo"])

  func run(_ call: Call) async throws -> ExitCode {
    let folder = try TemporaryFolder(named: "gatebook-demo")
    let stage = DemoStage(call, folder: folder.path)
    do {
      try await DemoStory(stage).tell()
      folder.remove()
    } catch {
      folder.remove()
      throw error
    }
    stage.note("The throw-away book, its key and the portals are gone.")
    return stage.failures == 0 ? .done : .failed
  }
}
