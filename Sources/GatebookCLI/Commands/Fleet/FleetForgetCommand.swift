internal import Gatebook
internal import GatebookFleet

/// `gatebook fleet forget`.
struct FleetForgetCommand: Command {
  private static let before = CommandOption.value(
    "--before", "T", "drop only events before this time, such as 2025-11-20 or `90 days ago`")
  private static let dryRun = CommandOption.flag(
    "--dry-run", "only show what would be dropped")
  private static let yes = CommandOption.flag(
    "--yes", "do not ask; needed where there is no terminal")

  static let help = Help(
    "fleet forget", "Drop old events from a fleet for good.", in: .fleet,
    details: [
      "The command drops the events of each history that come before its first event at T or later. "
        + "Clocks can be wrong: an older event after that one stays.",
      "First it verifies these books as `gatebook fleet verify` does. If old events do not agree, none of "
        + "that book is dropped, and `gatebook fleet findings` shows it.",
      "The fleet keeps the counters, the checkpoints, the tree over the dropped events, the state after "
        + "them, and the pseudonyms of accounts. `gatebook fleet pull` then writes a book that begins after "
        + "the dropped events.",
      "Shippers continue and bring nothing back. An interrupted command loses nothing: run it again. "
        + "Backups of the database keep the events.",
      "On a terminal you confirm it by typing a word. This cannot be undone.",
      "--book is the name of a machine here, or the id of a book or its first digits: all histories of that "
        + "book are meant. Without it all books are.",
      "The role must be a member of gatebook_owner; with --dry-run an auditor's role is enough. "
        + FleetArguments.passwords,
    ],
    options: [before, dryRun, yes, FleetArguments.fleet] + FleetArguments.trust
      + [Answers.standardInputOption],
    exitNotes: [
      (.loginNeeded, "the fleet refused the role"),
      (
        .serverTrouble,
        "the fleet is out of reach, or some books are moving or were changed meanwhile"
      ),
      (.damaged, "old events do not agree with their hashes, roots or checkpoints, and were kept"),
      (.cannotOpen, "also: the database is no fleet, or one of a newer version"),
      (.untrusted, "the certificate of the fleet's server is not trusted"),
    ],
    examples: [
      "gatebook fleet forget --before '1 year ago' --dry-run",
      "gatebook fleet forget --before 2025-01-01 --book laptop17 --yes",
    ])

  func run(_ call: Call) async throws -> ExitCode {
    let moment = try Self.moment(call)
    let isDry = call.arguments.has(Self.dryRun)
    let isSure = call.arguments.has(Self.yes)
    guard isDry || isSure || Terminal.isThere else {
      throw UsageError(
        "There is no terminal to ask whether the events should be dropped.",
        remedy: "To drop them without a question, add `--yes`. This cannot be undone.")
    }
    let forgetting = FleetForgetting(at: try FleetArguments.access(call, FleetArguments.fleet))
    let rendering = ForgettingRendering(call.output)
    if !isDry { try await forgetting.checkRole() }
    call.progress.show("looking for events before that time")
    let plan = try await FleetQuestion.ask {
      try await forgetting.plan(before: moment, book: call.arguments[GlobalOptions.bookOption])
    }
    call.progress.finish()
    guard !isDry else {
      rendering.show(plan)
      return .done
    }
    if !isSure, !plan.runs.isEmpty {
      rendering.show(plan, isQuestion: true)
      try Self.confirm(call.answers)
    }
    let progress = call.progress
    defer { progress.finish() }
    let report = try await forgetting.forget(plan) { done, all in
      Task { @MainActor in progress.show("verifying and dropping: \(done) of \(all) events") }
    }
    progress.finish()
    rendering.show(report)
    return Self.exit(report)
  }

  /// The moment that `--before` names.
  @MainActor private static func moment(_ call: Call) throws -> Timestamp {
    guard let text = call.arguments[before] else {
      throw UsageError(
        "`fleet forget` needs a time.",
        remedy: "Give `--before T`. See `gatebook help fleet forget`.")
    }
    let moment = try call.timeReader.moment(text)
    guard moment <= call.now.wall else { throw AsOf.toCome(before) }
    return moment
  }

  private static func confirm(_ answers: Answers) throws(GatebookError) {
    let answer = try answers.fromTerminal.text(
      "This cannot be undone. To drop these events from the fleet, type \(word)")
    guard answer == word else {
      throw GatebookError(
        .challengeCancelled, "That is not \u{201C}\(word)\u{201D}.",
        kept: "The fleet keeps all of its events.", remedy: "Run the command again when you like.")
    }
  }

  private static let word = "forget"

  private static func exit(_ report: ForgettingReport) -> ExitCode {
    guard report.ok else { return .damaged }
    let isUnfinished = report.kept.contains { $0.reason == .moving || $0.reason == .changed }
    return isUnfinished ? .serverTrouble : .done
  }
}
