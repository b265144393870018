/// Which options go with which choices of another one.
enum FittingOptions {
  /// Refuses options that mean nothing with a choice.
  ///
  /// - Parameters:
  ///   - arguments: What was given.
  ///   - chooser: The option that chooses.
  ///   - chosen: What was chosen, or is where nothing was.
  ///   - rules: The choices of each option that has not all of them.
  /// - Throws: `UsageError` that names the choices that the option goes with.
  static func check<Choice: RawRepresentable<String> & Equatable>(
    _ arguments: Arguments, _ chooser: CommandOption, _ chosen: Choice,
    _ rules: [(option: CommandOption, choices: [Choice])]
  ) throws(UsageError) {
    for (option, choices) in rules where arguments[option] != nil && !choices.contains(chosen) {
      let names = choices.map { "`\(chooser.name) \($0.rawValue)`" }
      throw UsageError(
        "`\(option.name)` has no effect with `\(chooser.name) \(chosen.rawValue)`.",
        remedy: "Leave it out, or use it with \(names.joined(separator: ", ")).")
    }
  }
}
