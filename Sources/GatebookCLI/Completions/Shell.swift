/// A shell that can complete the command line of `gatebook`.
enum Shell: String, CaseIterable {
  case bash, zsh, fish

  /// The script that makes it do so, from the table of the commands.
  ///
  /// - Parameter table: The commands.
  /// - Returns: The script, to be read by the shell.
  func completions(of table: [Help]) -> String {
    let words = CompletionWords(table)
    switch self {
    case .bash: return BashCompletions(words).text
    case .zsh: return ZshCompletions(words).text
    case .fish: return FishCompletions(words).text
    }
  }
}
