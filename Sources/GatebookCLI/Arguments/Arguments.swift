/// What was given to a command: the values of its options and its positionals.
struct Arguments: Sendable {
  private var values: [CommandOption: [String]] = [:]
  private var places: [Positional: String] = [:]
  /// The words after `--` for a command that runs a program: the program's name first; `nil` where
  /// there is no `--`.
  var program: [String]?

  /// The value of an option; `nil` when it was not given.
  subscript(option: CommandOption) -> String? { values[option]?.last }

  /// The value of an option with choices; `nil` when it was not given, for others were refused.
  func choice<Choice: RawRepresentable<String>>(_ option: CommandOption) -> Choice? {
    self[option].flatMap(Choice.init(rawValue:))
  }

  /// All values of an option that may be given repeatedly, in their order.
  func all(_ option: CommandOption) -> [String] { values[option] ?? [] }

  /// What was given, in the order of the names.
  var options: [CommandOption] { values.keys.sorted { $0.name < $1.name } }

  /// The options that say which book and which key, as they were given.
  var givenPlace: String {
    [GlobalOptions.bookOption, GlobalOptions.keyOption].flatMap { $0.words(self[$0]) }
      .map { " \(ShellText.word($0))" }.joined()
  }

  /// These options as words of a command line, as far as they were given.
  func words(of options: [CommandOption]) -> [String] {
    options.filter(has).flatMap { option in
      option.placeholder == nil ? [option.name] : all(option).flatMap { option.words($0) }
    }
  }

  /// Whether a flag was given.
  func has(_ option: CommandOption) -> Bool { values[option] != nil }

  /// Which of these options was given; `nil` for none.
  ///
  /// - Throws: `UsageError` for more than one.
  func only(of options: [CommandOption]) throws(UsageError) -> CommandOption? {
    let given = options.filter(has)
    guard given.count < 2 else {
      throw UsageError(
        "\(given.map { "`\($0.name)`" }.joined(separator: " and ")) cannot be combined.",
        remedy: "Give only one of them.")
    }
    return given.first
  }

  /// The value of a positional; `nil` when it was left out.
  subscript(positional: Positional) -> String? {
    get { places[positional] }
    set { places[positional] = newValue }
  }

  /// The value of an option the command cannot do without.
  func required(_ option: CommandOption) throws(UsageError) -> String {
    guard let value = self[option] else {
      throw UsageError("`\(option.name)` is missing.", remedy: "Add `\(option.usage)`.")
    }
    return value
  }

  /// The value of a positional the command cannot do without; the reader has checked that it is
  /// there.
  func required(_ positional: Positional) throws(UsageError) -> String {
    guard let value = self[positional] else {
      throw UsageError(
        "The argument \(positional.name) is missing.", remedy: "Add \(positional.note).")
    }
    return value
  }

  /// The value of an option as a whole number in a range; `nil` when it was not given.
  func integer(
    _ option: CommandOption, in range: ClosedRange<Int64>
  ) throws(UsageError) -> Int64? {
    guard let text = self[option] else { return nil }
    guard let number = Int64(text), range.contains(number) else {
      let limits =
        range.upperBound == .max
        ? "of \(range.lowerBound) or more" : "from \(range.lowerBound) to \(range.upperBound)"
      throw UsageError(
        "`\(option.name)` must be a whole number \(limits).",
        remedy: "Write `\(option.usage)` with such a number.")
    }
    return number
  }

  /// The value of an option as whole seconds; `nil` when it was not given.
  func seconds(_ option: CommandOption) throws(UsageError) -> Duration? {
    try integer(option, in: 0...1_000_000_000).map { .seconds($0) }
  }

  /// The value of an option as a length of time, such as `30s`, `5m`, `2h` or `1d`; `nil` when it
  /// was not given.
  func interval(_ option: CommandOption) throws(UsageError) -> Duration? {
    guard let text = self[option] else { return nil }
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    guard let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()),
      (1...10_000).contains(count)
    else {
      throw UsageError(
        "`\(option.name) \(Printable.text(text))` is not a length of time.",
        remedy: "Write a number and s, m, h or d, as in `\(option.name) 30s`.")
    }
    return .seconds(count * unit)
  }

  /// Gives an option these values and no others.
  mutating func replace(_ option: CommandOption, by values: [String]) {
    self.values[option] = values
  }

  /// Takes an option out.
  mutating func remove(_ option: CommandOption) { values[option] = nil }

  mutating func add(_ value: String, to option: CommandOption) {
    values[option, default: []].append(value)
  }
}
