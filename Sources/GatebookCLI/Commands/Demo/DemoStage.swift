internal import Gatebook

/// The output of the demonstration: numbered steps, one line of explanation each.
@MainActor final class DemoStage {
  /// The throw-away folder.
  let folder: String
  /// How many steps did not end as they should.
  private(set) var failures = 0
  private let output: Output
  private var step = 0

  init(_ call: Call, folder: String) {
    self.folder = folder
    output = call.output
  }

  /// The throw-away book.
  var book: String { "\(folder)/demo.gatebook" }

  /// How wide is what is shown: a terminal of 80 columns holds it with its indentation.
  private static let columns = 76

  /// Begins a step.
  func begin(_ explanation: String) {
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

  /// A step that one command is.
  func step(_ explanation: String, _ line: [String], expecting expected: ExitCode = .done) {
    begin(explanation)
    run(line, expecting: expected)
  }

  /// Runs `gatebook` in a new process on the throw-away folder and shows what it prints.
  ///
  /// - Parameters:
  ///   - line: Its arguments.
  ///   - copy: A copy of the throw-away book; the book itself unless given.
  ///   - expected: How it should end.
  func run(_ line: [String], on copy: String? = nil, expecting expected: ExitCode = .done) {
    let name = copy.map { " --book \($0.split(separator: "/").last ?? "")" } ?? ""
    show(["$ gatebook \(line.joined(separator: " "))\(name)"])
    output.flush()
    let globals = ["--book", copy ?? book, "--no-color"]
    guard
      let ended = NewProcess.run(
        globals + line, configuration: folder, columns: Self.columns)
    else {
      return fail("A new process could not be started.")
    }
    show(ended.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    if ended.exit != expected.rawValue {
      fail("It ended with \(ended.exit), not with \(expected.rawValue).")
    }
  }
}
