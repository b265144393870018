internal import Gatebook

/// `gatebook sync`.
struct SyncCommand: Command {
  static let help = Help(
    "sync", "Catch up with the servers: deliver what waits, verify what was resumed.", in: .use,
    details: [
      "Logouts and revocations that no server could be told before are delivered, and sessions that "
        + "were resumed from the log or are in doubt are verified. Sessions are kept whatever "
        + "happens, unless a server refuses one.",
      "With --account nothing is said to the servers of the others.",
    ],
    options: [Answers.standardInputOption, LoginArguments.timeoutOption],
    exits: [
      .done, .usage, .loginNeeded, .serverTrouble, .damaged, .busy, .cannotOpen, .untrusted,
      .cancelled,
    ],
    example: "gatebook sync --json")

  func run(_ call: Call) async throws -> ExitCode {
    let timeout = try LoginArguments.timeout(call.arguments)
    let isOfAll = call.globals.account == nil
    let report = try await call.withBook(timeout: timeout, delivers: isOfAll) { book in
      try await book.sync(try await call.namedAccount(book)?.account)
    }
    if call.output.isJSON {
      call.output.json([
        "delivered": .integer(Int64(report.delivered)),
        "failed": .list(
          report.failures.map {
            .present([
              "account": .text($0.account.description), "code": .text($0.error.code.rawValue),
            ])
          }),
        "verified": .list(report.verified.map { .text($0.description) }),
        "waiting": .integer(Int64(report.waiting)),
      ])
    } else {
      call.output.line(
        "delivered \(report.delivered), waiting \(report.waiting), "
          + "verified \(report.verified.count), not verified \(report.failures.count)")
    }
    for (account, error) in report.failures {
      call.output.message("\(account): \(Printable.text(error.message))")
    }
    if let first = report.failures.first { return ExitCode(first.error.code) }
    return report.waiting == 0 ? .done : .serverTrouble
  }
}
