internal import Gatebook

/// `gatebook rebuild`.
struct RebuildCommand: Command {
  private static let check = CommandOption.flag(
    "--check", "only compare in memory; writes nothing and needs no key")

  static let help = Help(
    "rebuild", "Compute the state of all accounts from the log again.", in: .care,
    details: [
      "The states of accounts and sessions, and the current account, are computed from the log. With "
        + "--check they are compared with the log, byte for byte. From a log that was damaged or tampered "
        + "with nothing is computed: `gatebook verify` shows which events are still proven.",
      "With --account only that account and its sessions are computed.",
    ],
    options: [check],
    exitNotes: [(.damaged, "also: with --check, something differs")],
    examples: ["gatebook rebuild --check", "gatebook rebuild"])

  func run(_ call: Call) async throws -> ExitCode {
    guard !call.arguments.has(Self.check) else {
      let account = try await call.namedID { try call.namedAccount() }
      let reader = try BookReader.open(at: call.globals.book)
      reader.heedCancellation()
      if account == nil { call.progress.show("folding", events: try reader.head().size) }
      let verdict = try reader.checkProjections(of: account)
      call.progress.finish()
      var isLogWhole = true
      if !verdict.ok, !call.output.isJSON {
        isLogWhole = try await BookVerifier(path: reader.path).verify().agreesWithHashes
      }
      show(
        verdict.position, verdict.problems, "agree with the log", account, call.output,
        remedy: isLogWhole
          ? "`gatebook rebuild` computes them again. It does not change the log."
          : "Do not rebuild them: the log is damaged, and they may be right. `gatebook verify` shows "
            + "which events are still proven.")
      return verdict.ok ? .done : .damaged
    }
    // First: opening for writing may record something, and no event may follow a gap.
    try BookReader.open(at: call.globals.book).checkEventCount()
    let (account, end) = try await call.withBook { book in
      let account = try await call.namedID { try await call.namedAccount(book) }
      if account == nil {
        let size = try BookReader.open(at: call.globals.book).head().size
        call.progress.show("checking and computing", events: size)
      }
      return (account, try await book.rebuild(account))
    }
    call.progress.finish()
    show(end, [], "were computed again", account, call.output)
    return .done
  }

  @MainActor private func show(
    _ end: Position, _ problems: [String], _ what: String, _ account: AccountID?,
    _ output: Output, remedy: String = ""
  ) {
    let rows = account == nil ? "Accounts and sessions" : "The account and its sessions"
    if output.isJSON {
      output.json(
        .present([
          "ok": .bool(problems.isEmpty), "position": .integer(end.rawValue),
          "problems": .list(problems.map(JSON.text)),
          "account": account.map { .text($0.description) },
        ]))
    } else if problems.isEmpty {
      output.line(
        output.painted("\(rows) \(what), up to position \(end).", .good))
    } else {
      output.line(output.painted("\(rows) differ from the log.", .bad))
      for problem in problems { output.line("- " + Printable.text(problem)) }
      output.message(remedy)
    }
  }
}
