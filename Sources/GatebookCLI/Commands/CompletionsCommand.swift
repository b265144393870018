internal import Gatebook

/// `gatebook completions`.
struct CompletionsCommand: Command {
  private static let shell = Positional(
    "SHELL", "bash, zsh or fish",
    words: Shell.allCases.map { Positional.Word(text: $0.rawValue, note: "for \($0.rawValue)") })

  static let help = Help(
    "completions", "Print the completions for a shell.", in: .care,
    details: [
      "bash: source <(gatebook completions bash), in ~/.bashrc. "
        + "zsh: gatebook completions zsh > _gatebook, in a folder of $fpath. "
        + "fish: gatebook completions fish > ~/.config/fish/completions/gatebook.fish.",
      "No book is opened; --account and --book are ignored.",
    ],
    positionals: [shell],
    examples: ["gatebook completions bash", "gatebook completions zsh"],
    isAudit: true)

  func run(_ call: Call) async throws -> ExitCode {
    let name = try call.arguments.required(Self.shell)
    guard let shell = Shell(rawValue: name) else {
      throw UsageError(
        "There are no completions for the shell `\(Printable.text(name))`.",
        remedy: "Write bash, zsh or fish.")
    }
    call.output.text(shell.completions)
    return .done
  }
}
