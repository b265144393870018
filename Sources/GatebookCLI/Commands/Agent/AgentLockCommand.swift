internal import Gatebook

/// `gatebook agent lock`.
struct AgentLockCommand: Command {
  static let help = Help(
    "agent lock", "Make the agent close the book and forget the key.", in: .use,
    details: [
      "Calls under way end first. Until `gatebook agent unlock`, `gatebook token` and the credential "
        + "helpers are refused: they do not open the book themselves. Other commands do. An agent that is started again with a "
        + "key file or the keyring is unlocked. `--confirm` forgets its answers."
    ],
    options: [AgentPlace.option], exitNotes: [(.failed, "also: no agent serves")],
    examples: ["gatebook agent lock"])

  func run(_ call: Call) async throws -> ExitCode {
    let facts = try AgentRequest(call, try AgentPlace.path(call)).send("POST", "/v1/lock")
    guard !call.output.tells(programs: [JSON(facts)]) else { return .done }
    call.output.message(
      facts["changed"]?.bool == true ? "The agent is locked." : "The agent was locked already.")
    return .done
  }
}
