/// What a command line asks for.
enum Order: Sendable {
  /// The overview of all commands.
  case overview
  /// The help of one command, or of all commands that begin with these words.
  case help([Help])
  /// Which version this is.
  case version
  /// Run a command.
  case run(any Command.Type, Arguments)
}
