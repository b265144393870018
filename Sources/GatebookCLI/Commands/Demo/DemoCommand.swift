internal import Gatebook
internal import GatebookTestSupport

/// `gatebook demo`.
struct DemoCommand: Command {
  static let help = Help(
    "demo", "See the whole story on a throw-away book and built-in servers.", in: .story,
    details: [
      "Two fake portals answer on 127.0.0.1; nothing leaves the machine, nothing needs to be set up, "
        + "and nothing is left behind.",
      "Its accounts are its own: --account says nothing to it.",
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
