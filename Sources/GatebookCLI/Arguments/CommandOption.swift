/// One option as the table declares it: from this come parsing, help and completions.
struct CommandOption: Hashable, Sendable {
  /// The name with its dashes: `--book`, `-X`.
  let name: String
  /// What the help calls the value; `nil` for a flag.
  let placeholder: String?
  /// What the option does.
  let note: String
  /// The only values there are; empty if any text is allowed.
  let choices: [String]
  /// What shells offer as its value if any text is allowed.
  let suggestions: [String]
  /// Whether `Basic` means the choice `basic`.
  let ignoresCase: Bool
  /// Whether the option may be given more than once.
  let isRepeatable: Bool
  /// Whether the option may come without its value.
  let mayLackValue: Bool
  /// Another name with one dash: `-q`; `nil` for none.
  let short: String?

  private init(
    _ name: String, _ placeholder: String?, _ note: String, choices: [String] = [],
    suggestions: [String] = [], ignoresCase: Bool = false, isRepeatable: Bool = false,
    mayLackValue: Bool = false, short: String? = nil
  ) {
    self.name = name
    self.placeholder = placeholder
    self.note = note
    self.choices = choices
    self.suggestions = suggestions
    self.ignoresCase = ignoresCase
    self.isRepeatable = isRepeatable
    self.mayLackValue = mayLackValue
    self.short = short
  }

  /// An option without a value.
  static func flag(_ name: String, _ note: String, short: String? = nil) -> CommandOption {
    CommandOption(name, nil, note, short: short)
  }

  /// An option with a value of any text, of which shells may offer some.
  static func value(
    _ name: String, _ placeholder: String, _ note: String, suggestions: [String] = []
  ) -> CommandOption {
    CommandOption(name, placeholder, note, suggestions: suggestions)
  }

  /// An option with a value that may be given again and again.
  static func values(_ name: String, _ placeholder: String, _ note: String) -> CommandOption {
    CommandOption(name, placeholder, note, isRepeatable: true)
  }

  /// An option whose value may be left out: it then counts as empty.
  static func optionalValue(
    _ name: String, _ placeholder: String, _ note: String
  ) -> CommandOption {
    CommandOption(name, placeholder, note, mayLackValue: true)
  }

  /// An option whose value is one of a few.
  static func choice(
    _ name: String, _ choices: [String], _ note: String, ignoresCase: Bool = false
  ) -> CommandOption {
    CommandOption(
      name, choices.joined(separator: "|"), note, choices: choices, ignoresCase: ignoresCase)
  }

  /// The option with a value, as words of a command line; none where there is no value.
  func words(_ value: String?) -> [String] {
    guard let value else { return [] }
    // After a blank it would count as another option, or as no value.
    return value.isEmpty || value.hasPrefix("-") ? ["\(name)=\(value)"] : [name, value]
  }

  /// The flag as words of a command line; none where it was not given.
  func words(_ isGiven: Bool) -> [String] { isGiven ? [name] : [] }

  /// Whether a text means a choice; names are ASCII, so their case is too.
  func means(_ text: String, _ choice: String) -> Bool {
    text.lowercased().utf8.elementsEqual(choice.lowercased().utf8)
  }

  /// Whether the option is spelt with one dash.
  var isShort: Bool { !name.hasPrefix("--") }

  /// The names and the value as help prints them: `--book PATH`, `--resume [LOGIN]`, `-q, --quiet`.
  var usage: String {
    placeholder.map { mayLackValue ? "\(name) [\($0)]" : "\(name) \($0)" }
      ?? (short.map { "\($0), " } ?? "") + name
  }
}
