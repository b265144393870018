/// One command of `gatebook`: a file of its own with its help, one library call and two renderings.
protocol Command: SendableMetatype {
  /// What the command is called, takes and answers.
  static var help: Help { get }

  init()

  /// Does it.
  ///
  /// - Parameter call: What was asked for, and where results go.
  /// - Returns: How the program ends.
  /// - Throws: `GatebookError`, `UsageError` or `CancellationError`.
  @MainActor func run(_ call: Call) async throws -> ExitCode
}

/// All commands of this version, in the order of the overview.
enum CommandTable {
  static let commands: [any Command.Type] = [
    DemoCommand.self, LoginCommand.self, LoginLiferayCommand.self, LoginOIDCCommand.self,
    LoginOAuth2Command.self, LoginOAuth1Command.self, LoginHTTPCommand.self, LoginFormCommand.self,
    LoginMobileFirstCommand.self,
    LoginFCSDKCommand.self, RefreshCommand.self, LogoutCommand.self,
    RestoreCommand.self, StatusCommand.self, AccountsCommand.self, WhoamiCommand.self,
    SwitchCommand.self,
    RenameCommand.self, CredentialsRemoveCommand.self, TrustListCommand.self,
    TrustRevokeCommand.self, RequestCommand.self, TokenCommand.self, ExecCommand.self,
    ProxyCommand.self, AgentCommand.self, AgentStatusCommand.self, AgentLockCommand.self,
    AgentUnlockCommand.self, CredentialGitCommand.self, CredentialDockerCommand.self,
    CredentialKeyringCommand.self, CredentialKubectlCommand.self, SyncCommand.self,
    LogCommand.self, SessionsCommand.self, ShowCommand.self, WhyCommand.self,
    StatsCommand.self, FindingsCommand.self, ReportCommand.self, ExportCommand.self,
    VerifyCommand.self, CheckpointCommand.self, ProveCommand.self, VerifyProofCommand.self,
    RebuildCommand.self, BackupCommand.self, ArchiveCommand.self, RecoverCommand.self,
    EraseCommand.self, KeyMoveCommand.self,
    DoctorCommand.self, FleetDemoCommand.self, ShipCommand.self, FleetInitCommand.self,
    FleetGrantCommand.self,
    FleetShardsCommand.self, FleetShardsAddCommand.self, FleetShardsMoveCommand.self,
    FleetBooksCommand.self, FleetAccountsCommand.self, FleetSessionsCommand.self,
    FleetLogCommand.self, FleetShowCommand.self, FleetWhyCommand.self, FleetReportCommand.self,
    FleetStatsCommand.self,
    FleetFindingsCommand.self, FleetVerifyCommand.self, FleetPullCommand.self,
    FleetForgetCommand.self,
    CompletionsCommand.self,
  ]

  /// What `--version` prints.
  static let version = "0.1.0"
}
