internal import Gatebook

/// `gatebook demo`.
struct DemoCommand: Command {
  static let help = Help(
    "demo", "See how Gatebook works, on a book that is thrown away.", in: .story,
    details: [
      "Built-in servers answer on 127.0.0.1: an OpenID Connect server, and two Liferay portals. Nothing "
        + "leaves the machine, and nothing remains afterwards.",
      "The demo uses its own accounts and ignores --account.",
      "With --page the login page opens in your browser, for one of the portals. You log in on it "
        + "yourself.",
    ],
    options: LoginPageArguments.all + [ServerPageArguments.noBrowser],
    examples: ["gatebook demo", "gatebook demo --page --theme flat7"])

  func run(_ call: Call) async throws -> ExitCode {
    try LoginPageArguments.check(call.arguments)
    let folder = try TemporaryFolder(named: "gatebook-demo")
    let stage = DemoStage(call.output)
    do {
      if call.hasLoginPage {
        try await DemoPage(on: stage, in: folder.path, call).show()
      } else {
        try await DemoStory(on: stage, in: folder.path).tell()
      }
      folder.remove()
    } catch {
      folder.remove()
      throw error is CancellationError ? DemoStage.cancelled : error
    }
    stage.note("The book of this demo, its key and the servers are gone. Try next:")
    stage.show([
      "gatebook login    log in to a server of yours",
      "gatebook          see the current account, and what to do next",
      "gatebook help     see all commands",
    ])
    return stage.failures == 0 ? .done : .failed
  }
}
