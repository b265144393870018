internal import Gatebook
internal import GatebookSystem
internal import SampleStage

/// Log in before the server asks, then look at the balance.
@main struct Main {
  @MainActor static func main() async {
    ThisProcess.exit(
      await SampleStage.run("PreemptiveLogin") { stage throws(GatebookError) in
        let balance = stage.balance
        let screens = try await CheckScreens(
          stage,
          button: (
            "balance",
            { manager throws(GatebookError) in
              // The session may have run out: then the form comes back before the balance does.
              let reply = try await manager.send(.get(balance))
              let text = String(decoding: reply.body, as: UTF8.self)
              return reply.status == 200
                ? "Balance: \(text)" : "The server said \(reply.status)."
            }
          ))
        guard await screens.press() else { return }
        try await screens.play()
      })
  }
}
