/// Writes help texts from the table.
struct HelpText {
  /// How wide they are where no terminal says it.
  static let usualWidth = 80
  /// What the program is for.
  static let purpose =
    "gatebook keeps the sessions of many accounts in one file, the book, and explains the state of "
    + "each of them."
  /// What is said of a command that only reads.
  static let auditing = "Needs no key and does not write."
  private let width: Int

  /// Makes a writer.
  ///
  /// - Parameter columns: How many columns the terminal has; `nil` for none. Lines of more than 120
  ///   are hard to read, and in less than 40 nothing can be laid out.
  init(columns: Int? = nil) {
    width = columns.map { min(max($0, 40), 120) } ?? Self.usualWidth
  }

  /// The overview: every command with its one line, and the options of all.
  func overview(_ table: [Help]) -> String {
    var lines =
      wrap(Self.purpose, indent: 0) + ["", "Usage: gatebook COMMAND [options]"]
    for group in Help.Group.allCases {
      let commands = table.filter { $0.group == group }
      guard !commands.isEmpty else { continue }
      lines += ["", "\(group.rawValue):"]
      lines += rows(commands.map { ($0.name + ($0.isAudit ? " *" : ""), $0.summary) })
    }
    lines += ["", "* needs no key and does not write", "", "Options of every command:"]
    lines += rows(GlobalOptions.all.map { ($0.usage, $0.note) })
    lines += ["", "Exits:"] + rows(ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) })
    lines += ["", "`gatebook help COMMAND` explains one command."]
    return text(lines)
  }

  /// The help of the commands that begin with the same words.
  ///
  /// One whose name is just these words has its own page before the list of the others.
  func text(_ commands: [Help]) -> String {
    guard commands.count > 1 else { return commands.map(text).joined() }
    let own = commands.first { command in
      commands.allSatisfy { $0.words.starts(with: command.words) }
    }
    let others = commands.filter { $0.name != own?.name }
    return (own.map { text($0) + "\n" } ?? "")
      + text(
        rows(others.map { ("gatebook \($0.name)", $0.summary) }, indent: 0)
          + ["", "`gatebook help \(commands[0].words[0]) COMMAND` explains one of them."])
  }

  /// The help of one command.
  func text(_ help: Help) -> String {
    var lines = wrap("gatebook \(help.name): \(help.summary)", indent: 0) + [""]
    let places =
      help.positionals.map { " " + $0.usage }.joined()
      + (help.takesProgram ? " -- COMMAND [ARG...]" : "")
    let own = help.options.isEmpty ? "" : " [options]"
    lines += ["Usage: gatebook \(help.name)\(own)\(places)"]
    for paragraph in help.details { lines += [""] + wrap(paragraph, indent: 0) }
    if help.isAudit { lines += ["", Self.auditing] }
    if !help.positionals.isEmpty {
      lines += ["", "Arguments:"] + rows(help.positionals.map { ($0.name, $0.note) })
    }
    if !help.options.isEmpty {
      lines += ["", "Options:"] + rows(help.options.map { ($0.usage, $0.note) })
    }
    lines += [""] + wrap("Options and exit codes of every command: see `gatebook help`.", indent: 0)
    if !help.exitNotes.isEmpty {
      lines += ["", "Exit codes of this command:"]
      lines += rows(help.exitNotes.map { ("\($0.exit.rawValue)", $0.meaning) })
    }
    lines += ["", help.examples.count == 1 ? "Example:" : "Examples:"]
    lines += help.examples.map { "  \($0)" }
    return text(lines)
  }

  private func text(_ lines: [String]) -> String {
    lines.joined(separator: "\n") + "\n"
  }

  /// Two columns: names and their notes.
  ///
  /// A name that is too long for its column has its own line.
  func rows(_ items: [(name: String, note: String)], indent: Int = 2) -> [String] {
    let column = min(26, items.map { $0.name.count }.max() ?? 0) + indent + 2
    let margin = String(repeating: " ", count: indent)
    return items.flatMap { item in
      let note = wrap(item.note, indent: column)
      let name = margin + item.name
      guard name.count + 2 <= column, let first = note.first else { return [name] + note }
      return [name + first.dropFirst(name.count)] + note.dropFirst()
    }
  }

  private func wrap(_ text: String, indent: Int) -> [String] {
    let margin = String(repeating: " ", count: indent)
    let words = text.split(separator: " ").map(String.init)
    return WrappedText.filled(words, width: width - indent).map { margin + $0 }
  }
}
