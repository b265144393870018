internal import GatebookSystem

/// Reads a command line by the table of commands.
///
/// Options of every command may come anywhere, a command's own ones anywhere after its name.
/// `--name value` and `--name=value` mean the same, `-X value` and `-Xvalue` too; `--` ends
/// options.
struct ArgumentReader {
  private let table: [any Command.Type]
  private var rest: ArraySlice<String>
  private var command: (any Command.Type)?
  /// The words of the command's name so far, or `help` and its topic.
  private(set) var words: [String] = []
  private var places: [String] = []
  /// What was given so far.
  private(set) var arguments = Arguments()
  /// The option before whose value the line ends; `nil` for none.
  private(set) var awaited: CommandOption?
  private var isPastOptions = false

  private init(_ line: some Sequence<String>, _ table: [any Command.Type]) {
    self.table = table
    rest = ArraySlice(line)
  }

  /// Reads the beginning of a line that is still being typed, and passes over its mistakes.
  init(beginning line: some Sequence<String>, _ table: [any Command.Type]) {
    self.init(line, table)
    while let item = rest.popFirst() { try? take(item) }
  }

  /// Reads a command line.
  ///
  /// - Parameters:
  ///   - line: The arguments after the program's name.
  ///   - table: All commands.
  /// - Returns: What is asked for.
  /// - Throws: `UsageError`, with the word that was probably meant.
  static func read(_ line: [String], _ table: [any Command.Type]) throws(UsageError) -> Order {
    if line.first == CompleteCommand.help.name {
      return .run(CompleteCommand.self, CompleteCommand.arguments(of: line.dropFirst()))
    }
    // Known by its first word only, so that no help and no completion offers it.
    let hidden: [any Command.Type] = [ManPagesCommand.self, RenewCommand.self]
    var reader = ArgumentReader(line, table + hidden.filter { line.first == $0.help.name })
    return try reader.order()
  }

  /// What a command line says about the output, as far as it can be told from one that cannot be
  /// understood: errors are printed by it.
  static func wantsJSON(_ line: [String]) -> Bool {
    line.prefix { $0 != "--" }.contains(GlobalOptions.jsonOption.name)
  }

  private mutating func order() throws(UsageError) -> Order {
    while let item = rest.popFirst() { try take(item) }
    if arguments.has(GlobalOptions.versionOption) || words == ["version"] { return .version }
    if words.first == "help" { return try help(Array(words.dropFirst())) }
    if arguments.has(GlobalOptions.helpOption) { return try help(words) }
    guard let command else {
      guard words.isEmpty else { throw incomplete() }
      guard let status = table.first(where: { $0 is StatusCommand.Type }) else { return .overview }
      return .run(status, arguments)
    }
    try settle(command.help)
    try checkOptions(command.help)
    return .run(command, arguments)
  }

  private mutating func take(_ item: String) throws(UsageError) {
    if isPastOptions || !item.hasPrefix("-") || item == "-" {
      try take(word: item)
    } else if item == "--" {
      isPastOptions = true
      guard command?.help.takesProgram == true else { return }
      arguments.program = Array(rest)
      rest.removeAll()
    } else {
      try take(option: item)
    }
  }

  // MARK: Words

  private mutating func take(word: String) throws(UsageError) {
    if let command, !goesOn(command.help, word) {
      places.append(word)
      return
    }
    let name = words + [word]
    let isHelp = name[0] == "help" || name == ["version"]
    guard isHelp || !matches(name).isEmpty else { throw unknown(name) }
    words = name
    command = table.first { $0.help.words == name }
  }

  /// Whether a further word belongs to the command's name: `login` is one, and so is `login http`.
  private func goesOn(_ help: Help, _ word: String) -> Bool {
    guard places.isEmpty, matches(words).count > 1 else { return false }
    return help.positionals.isEmpty || !matches(words + [word]).isEmpty
  }

  private func matches(_ words: [String]) -> [Help] {
    table.map { $0.help }.filter { $0.words.starts(with: words) }
  }

  private func help(_ topic: [String]) throws(UsageError) -> Order {
    guard !topic.isEmpty, topic != ["help"] else { return .overview }
    let found = matches(topic)
    guard found.isEmpty else { return .help(found) }
    throw unknown(topic)
  }

  private func unknown(_ words: [String]) -> UsageError {
    let depth = words.count
    let known = words.dropLast()
    let candidates = table.map { $0.help }.filter { $0.words.starts(with: known) }
      .compactMap { $0.words.dropFirst(depth - 1).first }
    let context = known.isEmpty ? "" : " \(known.joined(separator: " "))"
    let list = known.isEmpty ? "See `gatebook help`." : "See `gatebook help\(context)`."
    // A command is often known by its last word.
    let longer = table.map { $0.help }.filter {
      $0.words.count > depth && $0.words.starts(with: known) && $0.words.last == words.last
    }
    if let help = longer.first {
      return UsageError(
        known.isEmpty
          ? "Unknown command." : "`\(known.joined(separator: " "))` has no such command.",
        remedy: "Did you mean \(longer.map { "`gatebook \($0.name)`" }.joined(separator: " or "))? "
          + "See `gatebook help \(help.name)`.")
    }
    let meant = NearMiss.likely(words[depth - 1], among: Array(Set(candidates)).sorted())
      .map { "`gatebook\(context) \($0)`" }
    return UsageError(
      known.isEmpty
        ? "Unknown command."
        : "`\(known.joined(separator: " "))` has no such command.",
      remedy: meant.isEmpty
        ? list : "Did you mean \(meant.joined(separator: " or "))? \(list)")
  }

  private func incomplete() -> UsageError {
    let name = words.joined(separator: " ")
    let next = matches(words).compactMap { $0.words.dropFirst(words.count).first.map { "`\($0)`" } }
    return UsageError(
      "`\(name)` is not a complete command.",
      remedy: "Add \(next.joined(separator: " or ")). See `gatebook help \(name)`.")
  }

  // MARK: Options

  /// An option's name and the value in the same word: after `=`, or after a name with one dash.
  static func parts(_ item: String) -> (name: String, attached: String?) {
    let isLong = item.hasPrefix("--")
    let equals = isLong ? item.firstIndex(of: "=") : nil
    let end = equals ?? (isLong ? item.endIndex : item.index(item.startIndex, offsetBy: 2))
    let attached = equals.map(item.index(after:)) ?? end
    return (
      String(item[..<end]), equals == nil && end == item.endIndex ? nil : String(item[attached...])
    )
  }

  /// The option of a name that may be given here; `nil` for none.
  func option(_ name: String) -> CommandOption? {
    (GlobalOptions.all + (command?.help.known ?? []))
      .first { $0.name == name || $0.short == name }
  }

  private mutating func take(option item: String) throws(UsageError) {
    let (name, attached) = Self.parts(item)
    guard let option = option(name) else {
      throw UnknownOption.error(name, command: command?.help, table: table.map { $0.help })
    }
    if option == GlobalOptions.jsonOption, let body = command?.help.jsonBody,
      let text = attached ?? rest.first, attached != nil || text.first.map("{[\"@".contains) == true
    {
      if attached == nil { rest.removeFirst() }
      arguments.add(text, to: body)
      return
    }
    guard option.isRepeatable || !arguments.has(option) || option.placeholder == nil else {
      throw UsageError("`\(name)` is given twice.", remedy: "Give it only once.")
    }
    arguments.add(try value(of: option, attached: attached), to: option)
  }

  /// Refuses options of the shorter command that came before the name's last word.
  private func checkOptions(_ help: Help) throws(UsageError) {
    let known = Set(GlobalOptions.all + help.known)
    if let stray = arguments.options.first(where: { !known.contains($0) }) {
      throw UnknownOption.error(stray.name, command: help, table: table.map { $0.help })
    }
  }

  private mutating func value(
    of option: CommandOption, attached: String?
  ) throws(UsageError) -> String {
    guard option.placeholder != nil else {
      guard attached == nil else {
        throw UsageError("`\(option.name)` does not take a value.", remedy: "Remove the value.")
      }
      return ""
    }
    if option.mayLackValue, attached == nil, rest.first?.hasPrefix("-") ?? true { return "" }
    guard let value = attached ?? rest.first else {
      awaited = option
      throw UsageError("`\(option.name)` needs a value.", remedy: "Write `\(option.usage)`.")
    }
    if attached == nil {
      // A value that looks like an option is more often a value forgotten.
      guard option.isShort || !value.hasPrefix("--") else {
        throw UsageError(
          "`\(option.name)` needs a value, but an option follows.",
          remedy: "Write `\(option.name)=VALUE` if the value begins with dashes.")
      }
      rest.removeFirst()
    }
    if option.ignoresCase, let choice = option.choices.first(where: { option.means(value, $0) }) {
      return choice
    }
    guard option.choices.isEmpty || option.choices.contains(value) else {
      let meant = NearMiss.likely(value, among: option.choices).map { "`\($0)`" }
      let question = meant.isEmpty ? "" : "Did you mean \(meant.joined(separator: " or "))? "
      throw UsageError(
        "`\(option.name)` does not accept this value.",
        remedy: question
          + "It accepts \(option.choices.map { "`\($0)`" }.joined(separator: ", ")).")
    }
    return value
  }

  // MARK: Positionals

  private mutating func settle(_ help: Help) throws(UsageError) {
    guard !help.takesProgram || arguments.program?.isEmpty == false else {
      throw UsageError(
        arguments.program == nil
          ? "`\(help.name)` needs `--` before the program that it runs."
          : "`\(help.name)` needs a program after `--`.",
        remedy: "Write `-- COMMAND [ARG...]` at the end. See `gatebook help \(help.name)`.")
    }
    guard places.count <= help.positionals.count else {
      throw UsageError(
        help.positionals.isEmpty
          ? "`\(help.name)` takes no arguments."
          : "`\(help.name)` takes only these arguments: "
            + "\(help.positionals.map(\.usage).joined(separator: " ")).",
        remedy: "See `gatebook help \(help.name)`.")
    }
    let required = help.positionals.filter { !$0.isOptional }
    // Required arguments are filled first, even after optional ones: `rename [A] NAME`.
    var spare = places.count - required.count
    var taken = places[...]
    for positional in help.positionals {
      if positional.isOptional { spare -= 1 }
      guard !positional.isOptional || spare >= 0, let place = taken.popFirst() else { continue }
      switch positional {
      case .account: try take(account: place)
      case .accountOrPosition where !Self.isNumber(place): try take(account: place)
      case .accountOrServer where !place.contains("://"): try take(account: place)
      default: arguments[positional] = place
      }
    }
    if let missing = required.first(where: { arguments[$0] == nil }) {
      throw UsageError(
        "`\(help.name)` needs \(missing.name).",
        remedy: "Add \(missing.note). See `gatebook help \(help.name)`.")
    }
  }

  /// Digits alone are a position for every command; an id that begins so is given with the option.
  private mutating func take(account: String) throws(UsageError) {
    guard !Self.isNumber(account) else {
      throw UsageError(
        "`\(account)` is read as a position in the log, because it is all digits.",
        remedy: "`--account \(account)` means the account whose id begins with it.")
    }
    if let named = arguments[GlobalOptions.accountOption] {
      guard named != account else { return }
      throw UsageError(
        "The argument and `--account` name two accounts.",
        remedy:
          "Give only one of them.")
    }
    arguments.add(account, to: GlobalOptions.accountOption)
  }

  private static func isNumber(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) }
  }
}
