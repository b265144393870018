/// One command as the table declares it: from this come parsing, help and completions.
struct Help: Sendable {
  /// The headings of the overview, in their order.
  enum Group: String, CaseIterable, Sendable {
    case story = "See it work"
    case login = "Log in and out"
    case accounts = "Accounts"
    case use = "Use a session"
    case audit = "Read back"
    case care = "Integrity and care"
    case fleet = "Many machines"
  }

  /// The command's words: `login http`.
  let name: String
  /// What it does, in one line.
  let summary: String
  let group: Group
  /// What the summary cannot say: one paragraph each.
  var details: [String] { makeDetails() }
  let positionals: [Positional]
  let options: [CommandOption]
  /// Options that it takes for other commands, which list them.
  let passedOn: [CommandOption]
  /// What an exit means for this command, where that is not what it means for all.
  let exitNotes: [(exit: ExitCode, meaning: String)]
  /// Lines to copy; never with a secret.
  var examples: [String] { makeExamples() }
  /// Whether it needs no key and never writes.
  let isAudit: Bool
  /// Whether what it prints may be longer than a terminal, and is then shown page by page.
  let isPaged: Bool
  /// Whether it ends with `--` and the command line of a program that it runs.
  let takesProgram: Bool
  // Made where they are shown: every run of a command reads the names of many others.
  private let makeDetails: @Sendable () -> [String]
  private let makeExamples: @Sendable () -> [String]

  init(
    _ name: String, _ summary: String, in group: Group,
    details: @escaping @Sendable @autoclosure () -> [String] = [],
    positionals: [Positional] = [], options: [CommandOption] = [],
    passedOn: [CommandOption] = [],
    exitNotes: [(exit: ExitCode, meaning: String)] = [],
    examples: @escaping @Sendable @autoclosure () -> [String],
    isAudit: Bool = false, isPaged: Bool = false, takesProgram: Bool = false
  ) {
    self.isPaged = isPaged
    self.takesProgram = takesProgram
    self.name = name
    self.summary = summary
    self.group = group
    makeDetails = details
    self.positionals = positionals
    self.options = options
    self.passedOn = passedOn
    self.exitNotes = exitNotes
    makeExamples = examples
    self.isAudit = isAudit
  }

  /// All options that it takes.
  var known: [CommandOption] { options + passedOn }

  /// The option that `--json` followed by JSON or `@` stands for; `nil` where it never takes a
  /// value.
  var jsonBody: CommandOption? { options.first { $0.name == "--json-body" } }

  /// The words of the name.
  var words: [String] { name.split(separator: " ").map(String.init) }
}
