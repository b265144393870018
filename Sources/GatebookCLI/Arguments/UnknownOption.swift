/// What to say about an option that is not in the table.
enum UnknownOption {
  /// Names under which people try to hand over secrets.
  private static let secrets: Set<String> = [
    "--client-secret", "--pass", "--passphrase", "--passwd", "--password", "--pw", "--secret",
    "--token",
  ]

  /// The error for an option nobody knows; its value is never repeated.
  ///
  /// - Parameters:
  ///   - name: The option with its dashes.
  ///   - command: The command it was given to; `nil` if it came before any.
  ///   - table: All commands.
  /// - Returns: The error, with the option that was probably meant.
  static func error(_ name: String, command: Help?, table: [Help]) -> UsageError {
    guard !secrets.contains(name) else { return secret(name, command) }
    let own = GlobalOptions.all + (command?.options ?? [])
    let see = "See `gatebook help\(command.map { " \($0.name)" } ?? "")`."
    let message =
      command.map { "`\($0.name)` has no option `\(name)`." }
      ?? "Unknown option `\(name)`."
    if command == nil, table.contains(where: { $0.options.contains { $0.name == name } }) {
      return UsageError(
        "`\(name)` must come after the command.",
        remedy: "Write the command first, then its options.")
    }
    if name == "-?" {
      return UsageError(message, remedy: "Did you mean `--help`? \(see)")
    }
    let owners = table.filter { help in
      guard let command, help.words.count > command.words.count else { return false }
      return help.words.starts(with: command.words) && help.options.contains { $0.name == name }
    }
    if !owners.isEmpty {
      let names = owners.map { "`gatebook \($0.name)`" }.joined(separator: ", ")
      return UsageError(
        message,
        remedy: (owners.count == 1 ? "This command has it: " : "These commands have it: ")
          + "\(names). \(see)")
    }
    // The dashes are no letters: they do not make two short names more alike.
    let long = own.filter { !$0.isShort }.map { String($0.name.dropFirst(2)) }
    guard name.hasPrefix("--"),
      let meant = NearMiss.nearest(to: String(name.dropFirst(2)), among: long)
    else { return UsageError(message, remedy: see) }
    return UsageError(message, remedy: "Did you mean `--\(meant)`? \(see)")
  }

  private static func secret(_ name: String, _ command: Help?) -> UsageError {
    let hasFile = command?.options.contains(ClientArguments.secretFile) ?? false
    let takesInput = command?.options.contains { $0.name == "--password-stdin" } ?? false
    return UsageError(
      "`\(name)` does not exist: other processes can see arguments, and shells keep them in their history.",
      remedy: name == "--client-secret" && hasFile
        ? "Give a file of mode 0600 with `--client-secret-file FILE`, or leave the option out: Gatebook "
          + "asks."
        : takesInput
          ? "Leave the option out: Gatebook asks. Or give `--password-stdin` and the password on "
            + "standard input."
          : "Leave the option out: Gatebook asks for what it needs.")
  }
}

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
