/// What a command is handed: what was asked for, where it runs, and where its results go.
@MainActor struct Call {
  /// The command's own options and positionals.
  let arguments: Arguments
  /// What every command takes.
  let globals: GlobalOptions
  /// The process's surroundings.
  let surroundings: Surroundings
  /// Results and messages.
  let output: Output
  /// Answers to questions.
  let answers: Answers
  /// Says how far long work has come.
  let progress: ProgressLine
}
