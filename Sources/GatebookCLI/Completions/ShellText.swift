/// Texts as words of command lines that people may run.
enum ShellText {
  /// A text in single quotes, as bash and zsh read it.
  static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
      + "'"
  }

  /// A text as one word of a command line that people may run: in single quotes where it needs
  /// them.
  static func word(_ text: String) -> String {
    text.wholeMatch(of: /[A-Za-z0-9_.\-\/:@+,]+/) == nil ? quoted(text) : text
  }
}
