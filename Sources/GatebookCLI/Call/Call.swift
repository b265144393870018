internal import Gatebook
internal import GatebookSystem

/// What a command is handed: what was asked for, where it runs, and where its results go.
@MainActor struct Call {
  /// The command's own options and positionals.
  private(set) var arguments: Arguments
  /// What every command takes.
  private(set) var globals: GlobalOptions
  /// The process's surroundings.
  let surroundings: Surroundings
  /// Results and messages.
  let output: Output
  /// Answers to questions.
  let answers: Answers
  /// Says how far long work has come.
  let progress: ProgressLine
  /// The book's passphrase, which one command asks for once.
  let passphraseAsked: AskedOnce

  init(
    _ arguments: Arguments, _ globals: GlobalOptions, surroundings: Surroundings, output: Output,
    answers: Answers, progress: ProgressLine
  ) {
    self.arguments = arguments
    self.globals = globals
    self.surroundings = surroundings
    self.output = output
    self.answers = answers
    self.progress = progress
    // Looked at now: when the question comes, an empty file for the new book is there already.
    let isNew = !Files.exists(globals.book)
    passphraseAsked = AskedOnce { () throws(GatebookError) in
      try answers.passphrase(isNew: isNew)
    }
  }

  /// The same call with other arguments; what was asked once is not asked again.
  ///
  /// - Throws: `UsageError` where the options of every command cannot be understood.
  func with(_ arguments: Arguments) throws(UsageError) -> Call {
    var call = self
    call.arguments = arguments
    call.globals = try GlobalOptions(arguments, surroundings)
    return call
  }
}
