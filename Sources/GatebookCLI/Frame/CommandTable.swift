/// All commands of this version, in the order of the overview.
enum CommandTable {
  static let commands: [any Command.Type] = [
    DemoCommand.self, LoginLiferayCommand.self, LoginHTTPCommand.self, LoginFormCommand.self,
    LogoutCommand.self,
    RestoreCommand.self, AccountsCommand.self, WhoamiCommand.self, SwitchCommand.self,
    RenameCommand.self, RequestCommand.self, LogCommand.self, SessionsCommand.self,
    ShowCommand.self, VerifyCommand.self, CheckpointCommand.self, RebuildCommand.self,
    DoctorCommand.self,
  ]

  /// What `--version` prints.
  static let version = "0.1.0"
}
