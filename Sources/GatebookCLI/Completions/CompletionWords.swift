/// What is allowed where on a command line, for the scripts of the shells.
struct CompletionWords {
  let commands: [Help]

  init(_ commands: [Help]) {
    self.commands = commands
  }

  /// One word that may come next, and what it is for.
  struct Word {
    let text: String
    let note: String
  }

  /// The beginnings of command lines that words may follow: `""`, `login`, `login http`.
  var paths: [String] {
    var seen: Set<String> = []
    let all = commands.flatMap { command in
      (0...command.words.count).map { command.words.prefix($0).joined(separator: " ") }
    }
    // The words after `help` are those of a command line: it leaves the path as it is.
    return all.filter { seen.insert($0).inserted }
  }

  /// The words that may follow a path: of commands, and what a command knows of its first argument.
  func words(after path: String) -> [Word] {
    let prefix = path.split(separator: " ").map(String.init)
    var seen: Set<String> = []
    var words = commands.compactMap { command -> Word? in
      guard command.words.count > prefix.count, command.words.starts(with: prefix) else {
        return nil
      }
      let word = command.words[prefix.count]
      guard seen.insert(word).inserted else { return nil }
      let isWhole = command.words.count == prefix.count + 1
      return Word(text: word, note: isWhole ? command.summary : "several commands")
    }
    let first = commands.first { $0.name == path }?.positionals.first
    words += first?.words.map { Word(text: $0.text, note: $0.note) } ?? []
    if path.isEmpty {
      words += [
        Word(text: "help", note: "Explain one command."),
        Word(text: "version", note: "Print the version."),
      ]
    }
    return words
  }

  /// The options after a path: the command's own, and those of every command.
  func options(after path: String) -> [CommandOption] {
    (commands.first { $0.name == path }?.options ?? []) + GlobalOptions.all
  }

  /// Whether the command of a path takes a file without an option before it.
  func takesFile(_ path: String) -> Bool {
    commands.first { $0.name == path }?.positionals.contains { Self.isFile($0.name) } ?? false
  }

  /// Whether the command of a path takes an account without an option before it.
  func takesAccount(_ path: String) -> Bool {
    commands.first { $0.name == path }?.positionals.contains { Self.isAccount($0.name) } ?? false
  }

  /// The options whose next word is their value, each once.
  var valued: [String] {
    var seen: Set<String> = []
    let all = commands.flatMap { $0.options } + GlobalOptions.all
    return all.filter { $0.placeholder != nil && !$0.mayLackValue }.map(\.name)
      .filter { seen.insert($0).inserted }
  }

  /// Whether an option's value is the name of a file.
  static func namesFile(_ option: CommandOption) -> Bool {
    option.placeholder.map(isFile) ?? false
  }

  /// Whether an option's value is an account's name.
  static func namesAccount(_ option: CommandOption) -> Bool {
    option.placeholder.map(isAccount) ?? false
  }

  private static func isAccount(_ placeholder: String) -> Bool {
    placeholder == GlobalOptions.accountOption.placeholder
      || [Positional.account, .accountOrPosition, .accountOrServer].contains {
        $0.name == placeholder
      }
  }

  private static func isFile(_ placeholder: String) -> Bool {
    ["F", "PATH", "CHECKPOINT"].contains(placeholder)
  }

  /// The values of an option; empty if any text is allowed.
  static func choices(_ option: CommandOption) -> [String] {
    // The values of `--key` that are whole words.
    guard option.name == GlobalOptions.keyOption.name else {
      return option.choices.isEmpty ? option.suggestions : option.choices
    }
    return option.placeholder?.split(separator: "|").map(String.init)
      .filter { !$0.contains(":") } ?? []
  }
}
