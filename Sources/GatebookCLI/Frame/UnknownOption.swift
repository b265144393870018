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
  ///   - command: The command it was given to; `nil` when it stood before any.
  ///   - table: All commands.
  /// - Returns: The error, with the option that was probably meant.
  static func error(_ name: String, command: Help?, table: [Help]) -> UsageError {
    guard !secrets.contains(name) else { return secret(name, command) }
    let own = GlobalOptions.all + (command?.options ?? [])
    let see = "See `gatebook help\(command.map { " \($0.name)" } ?? "")`."
    let message =
      command.map { "`\($0.name)` has no such option: `\(name)`." }
      ?? "There is no such option: `\(name)`."
    if command == nil, table.contains(where: { $0.options.contains { $0.name == name } }) {
      return UsageError(
        "`\(name)` must follow the command.", remedy: "Write it after the command.")
    }
    if name == "-?" {
      return UsageError(message, remedy: "Did you mean `--help`? \(see)")
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
      "`\(name)` does not exist: an argument can be seen by every process and stays in the history.",
      remedy: name == "--client-secret" && hasFile
        ? "Name a file of mode 0600 with `--client-secret-file F`, or leave it out and be asked."
        : takesInput
          ? "Leave it out and be asked, or give `--password-stdin` and the password on standard input."
          : "Leave it out: what is needed is asked for.")
  }
}
