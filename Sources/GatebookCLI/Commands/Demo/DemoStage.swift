internal import Gatebook

/// The output of a demonstration: numbered steps, one line of explanation each.
@MainActor final class DemoStage {
  /// How many steps did not end as they should.
  private(set) var failures = 0
  private let output: Output
  private var step = 0

  init(_ output: Output) {
    self.output = output
  }

  /// That Ctrl-C ended a demonstration, which has removed all that it made.
  static let cancelled = GatebookError(
    .cancelled, "The demo was cancelled.", kept: "Its servers and its books are gone.",
    remedy: "Run it again when you like.")

  /// How wide is what is shown: a terminal of 80 columns holds it with its indentation.
  private static let columns = 76

  /// Begins a step.
  ///
  /// - Throws: `CancellationError` after Ctrl-C.
  func begin(_ explanation: String) throws {
    try Task.checkCancellation()
    step += 1
    if output.isJSON {
      output.json(["step": .integer(Int64(step)), "does": .text(explanation)])
    } else {
      output.line("")
      output.line(output.painted("\(step). \(explanation)", .strong))
    }
    output.flush()
  }

  /// Shows what came of a step.
  func show(_ lines: [String]) {
    guard !output.isJSON else { return }
    for line in lines { output.line("   \(line)") }
    output.flush()
  }

  /// Shows that an account has logged in.
  func showLogin(of context: SessionContext) {
    let user = AccountRendering.userName(context).map { " as \($0)" } ?? ""
    let state = AccountRendering(context).state(output)
    let text = Printable.text("Logged in to \(ServerName.text(context.server))\(user) (\(state)).")
    show([WrappedText.message(text, width: Self.columns)])
  }

  /// Shows an error that is part of the story, and counts one that is not.
  func show(_ error: GatebookError, expected: FailureCode) {
    let text = WrappedText.message(ErrorReport.of(error).text, width: Self.columns)
    show(text.split(separator: "\n").map(String.init))
    if error.code != expected { fail("Expected was \(expected), not \(error.code).") }
  }

  /// Says that a step did not end as it should.
  func fail(_ reason: String) {
    failures += 1
    if output.isJSON {
      output.json(["step": .integer(Int64(step)), "failed": .text(reason)])
    } else {
      output.line("   " + output.painted("This should not be: \(Printable.text(reason))", .bad))
    }
  }

  /// A line beside the steps.
  func note(_ text: String) {
    guard !output.isJSON else { return }
    output.line("")
    output.line(text)
  }

  /// A step that one line of a shell is; otherwise as ``run(_:in:expecting:)``.
  func step(
    _ explanation: String, _ line: String, in shell: DemoShell,
    expecting expected: ExitCode = .done
  ) throws {
    try begin(explanation)
    try run(line, in: shell, expecting: expected)
  }

  /// Runs a line in a shell, and shows both: the line and what it prints.
  ///
  /// - Parameters:
  ///   - line: The line; it may have several lines, as a person types them.
  ///   - shell: The shell.
  ///   - expected: How it should end.
  /// - Throws: `CancellationError` after Ctrl-C.
  func run(
    _ line: String, in shell: DemoShell, expecting expected: ExitCode = .done
  ) throws {
    show(Self.lines("$ \(line)"))
    guard let printed = try end(line, in: shell, expecting: expected), !printed.isEmpty else {
      return
    }
    show(Self.lines(printed))
  }

  /// Runs a line in a shell; both are shown only if it does not end as it should.
  ///
  /// - Returns: What it prints, if it ends as it should.
  /// - Throws: `CancellationError` after Ctrl-C.
  @discardableResult
  func prepare(
    _ line: String, in shell: DemoShell, expecting expected: ExitCode = .done
  ) throws -> String? {
    let before = failures
    let printed = try end(line, in: shell, expecting: expected)
    guard failures > before else { return printed }
    show(Self.lines("$ \(line)\n\(printed ?? "")"))
    return nil
  }

  private func end(
    _ line: String, in shell: DemoShell, expecting expected: ExitCode
  ) throws -> String? {
    let ended = shell.run(line, columns: Self.columns)
    // Ctrl-C at the terminal ends the line too.
    try Task.checkCancellation()
    guard let ended else {
      fail("A new process could not be started.")
      return nil
    }
    if ended.exit != expected.rawValue {
      fail("It ended with \(ended.exit), not with \(expected.rawValue).")
    }
    return ended.output
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
