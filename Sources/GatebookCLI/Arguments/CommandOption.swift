/// One option as the table declares it: from this come parsing, help and completions.
struct CommandOption: Hashable, Sendable {
  /// The name with its dashes: `--book`, `-X`.
  let name: String
  /// What the help calls the value; `nil` for a flag.
  let placeholder: String?
  /// What the option does.
  let note: String
  /// The only values there are; empty if any text is allowed.
  var choices: [String] = []
  /// What shells offer as its value if any text is allowed.
  var suggestions: [String] = []
  /// Whether `Basic` means the choice `basic`.
  var ignoresCase = false
  /// Whether the option may be given more than once.
  var isRepeatable = false
  /// Whether the option may come without its value, which then counts as empty.
  var mayLackValue = false
  /// Another name with one dash: `-q`; `nil` for none.
  var short: String?
  /// Where `LoginLine` finds what it was given at a login: names of facts, with dots between them.
  var kept: String?
  /// The value that need not be given; `nil` for none.
  var usual: String?

  /// An option without a value.
  static func flag(
    _ name: String, _ note: String, short: String? = nil, kept: String? = nil
  ) -> CommandOption {
    CommandOption(name: name, placeholder: nil, note: note, short: short, kept: kept)
  }

  /// An option with a value of any text, of which shells may offer some.
  static func value(
    _ name: String, _ placeholder: String, _ note: String, suggestions: [String] = [],
    kept: String? = nil, usual: String? = nil
  ) -> CommandOption {
    CommandOption(
      name: name, placeholder: placeholder, note: note, suggestions: suggestions, kept: kept,
      usual: usual)
  }

  /// An option with a value that may be given again and again.
  static func values(
    _ name: String, _ placeholder: String, _ note: String, kept: String? = nil
  ) -> CommandOption {
    CommandOption(
      name: name, placeholder: placeholder, note: note, isRepeatable: true, kept: kept)
  }

  /// An option whose value is one of a few.
  static func choice(
    _ name: String, _ choices: [String], _ note: String, ignoresCase: Bool = false,
    kept: String? = nil, usual: String? = nil
  ) -> CommandOption {
    CommandOption(
      name: name, placeholder: choices.joined(separator: "|"), note: note, choices: choices,
      ignoresCase: ignoresCase, kept: kept, usual: usual)
  }

  /// The option with a value, as words of a command line; none where there is no value.
  func words(_ value: String?) -> [String] {
    guard let value else { return [] }
    // After a blank it would count as another option, or as no value.
    return value.isEmpty || value.hasPrefix("-") ? ["\(name)=\(value)"] : [name, value]
  }

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
