internal import Gatebook

/// `gatebook rebuild`.
struct RebuildCommand: Command {
  private static let check = CommandOption.flag(
    "--check", "only compare: fold in memory, write nothing, need no key")

  static let help = Help(
    "rebuild", "Fold the log anew and replace what was folded before.", in: .care,
    details: [
      "Accounts, sessions and the current account are a cache: the log alone is the truth. With "
        + "--check both are compared, byte for byte."
    ],
    options: [check], exits: [.done, .damaged, .busy, .cannotOpen],
    example: "gatebook rebuild --check", account: .wholeBook)

  func run(_ call: Call) async throws -> ExitCode {
    guard !call.arguments.has(Self.check) else {
      let verdict = try BookReader.open(at: call.globals.book).checkProjections()
      show(verdict.position, verdict.problems, "agree with the log", call.output)
      return verdict.ok ? .done : .damaged
    }
    let end = try await call.withBook { book in try await book.rebuild() }
    show(end, [], "were folded anew", call.output)
    return .done
  }

  @MainActor private func show(
    _ end: Position, _ problems: [String], _ what: String, _ output: Output
  ) {
    if output.isJSON {
      output.json([
        "ok": .bool(problems.isEmpty), "position": .integer(end.rawValue),
        "problems": .list(problems.map(JSON.text)),
      ])
    } else if problems.isEmpty {
      output.line(
        output.painted("Accounts and sessions \(what), up to position \(end).", .good))
    } else {
      output.line(output.painted("Accounts and sessions differ from the log.", .bad))
      for problem in problems { output.line("- " + Printable.text(problem)) }
      output.message("`gatebook rebuild` makes them anew; the log is not touched.")
    }
  }
}
