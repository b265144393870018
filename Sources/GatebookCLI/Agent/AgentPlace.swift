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
    return "\(sharedFolder(surroundings))/agent"
  }

  private static func sharedFolder(_ surroundings: Surroundings) -> String {
    "\(surroundings.runtimeFolder)/gatebook-\(LocalSocket.Peer.ownUser)"
  }

  /// Whether a socket's folder is this user's alone: in a folder such as /tmp, another user could
  /// put a link to another socket of this user there.
  static func isPrivate(_ path: String, _ surroundings: Surroundings) -> Bool {
    let folder = sharedFolder(surroundings)
    guard path == "\(folder)/agent" else { return true }
    guard let status = FileStatus(of: folder, followsLinks: false) else { return false }
    return status.isFolder && status.isOwn && !status.isOpenToOthers
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
