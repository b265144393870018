internal import Gatebook

/// `gatebook agent unlock`.
struct AgentUnlockCommand: Command {
  static let help = Help(
    "agent unlock", "Make the agent open the book again.", in: .use,
    details: [
      "The agent reads a key file or the keyring itself. For a passphrase this command asks, or reads "
        + "the file of $GATEBOOK_PASSPHRASE_FILE, and sends it over the agent's socket."
    ],
    options: [AgentPlace.option, Answers.standardInputOption],
    exitNotes: [(.failed, "also: no agent serves")], examples: ["gatebook agent unlock"])

  func run(_ call: Call) async throws -> ExitCode {
    let request = AgentRequest(call, try AgentPlace.path(call))
    var facts = try request.send("POST", "/v1/unlock")
    if facts["error"]?.object?["code"]?.text == FailureCode.keyMissing.rawValue,
      let passphrase = try Self.passphrase(call)
    {
      let text = passphrase.withBytes { String(decoding: $0, as: UTF8.self) }
      facts = try request.send("POST", "/v1/unlock", ["passphrase": .text(text)])
    }
    try request.check(facts)
    guard !call.output.tells(programs: [JSON(facts)]) else { return .done }
    call.output.message(
      facts["changed"]?.bool == true ? "The agent is unlocked." : "The agent was unlocked already.")
    return .done
  }

  /// The passphrase, where the book's key comes from one.
  @MainActor private static func passphrase(_ call: Call) throws -> Secret? {
    let isPassphrase = try BookReader.open(at: call.globals.book).keySource == "passphrase"
    guard isPassphrase || call.globals.key == .passphrase else { return nil }
    if let path = call.surroundings["GATEBOOK_PASSPHRASE_FILE"] {
      return try SecretFile.passphrase(path)
    }
    return try call.passphraseAsked.answer()
  }
}
