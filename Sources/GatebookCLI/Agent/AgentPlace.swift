internal import Gatebook
internal import GatebookSystem

/// Where the socket of an agent is.
enum AgentPlace {
  static let option = CommandOption.value(
    "--socket", "PATH",
    "the agent's socket (default: $GATEBOOK_AGENT, else $XDG_RUNTIME_DIR/gatebook/agent)")
  /// Names another socket; empty, no agent is used.
  static let variable = "GATEBOOK_AGENT"

  /// The socket that commands look for; `nil` where no agent is to be used.
  static func path(_ surroundings: Surroundings) -> String? {
    if let named = surroundings.environment[variable] { return named.isEmpty ? nil : named }
    if let folder = surroundings["XDG_RUNTIME_DIR"], folder.hasPrefix("/") {
      return "\(folder)/gatebook/agent"
    }
    return "\(surroundings.runtimeFolder)/gatebook-\(LocalSocket.Peer.ownUser)/agent"
  }

  /// The socket of a command that is about the agent itself.
  ///
  /// - Throws: `UsageError` where there is to be none.
  static func path(_ call: Call) throws(UsageError) -> String {
    if let given = call.arguments[option] { return FilePath.whole(given) }
    guard let path = path(call.surroundings) else {
      throw UsageError(
        "$\(variable) is empty, which means that no agent is used.",
        remedy: "Unset it, or add `--socket PATH`.")
    }
    return path
  }
}
