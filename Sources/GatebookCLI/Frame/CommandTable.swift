/// All commands of this version, in the order of the overview.
enum CommandTable {
  static let commands: [any Command.Type] = [
    AccountsCommand.self, WhoamiCommand.self, LogCommand.self, SessionsCommand.self,
    ShowCommand.self, VerifyCommand.self, CheckpointCommand.self,
  ]

  /// What `--version` prints.
  static let version = "0.1.0"
}
