internal import Gatebook
internal import GatebookFleet

/// `gatebook fleet verify`.
struct FleetVerifyCommand: Command {
  static let help = Help(
    "fleet verify", "Check that the histories in the fleet are the books' own.", in: .fleet,
    details: [
      "Gatebook computes every hash and every root again, of many books at the same time. It compares them "
        + "with the roots that were shipped, and checks that the book's key signed each checkpoint. It also "
        + "finds rows that were deleted or added. No key is needed.",
      "Each history is read as it was at one moment, so machines can ship meanwhile.",
      "Events that came without their encrypted facts (`ship --without-personal`) are counted: their hashes "
        + "cannot be computed again, but the roots cover them.",
      "Without a signed checkpoint a history can only agree with itself. Only a checkpoint that was kept "
        + "elsewhere can show that events were removed from the end.",
      "--book is the name of a machine here, or the id of a book or its first digits. Without it all books "
        + "are verified.",
      FleetArguments.passwords,
    ],
    options: [FleetPullCommand.branch, FleetArguments.fleet] + FleetArguments.trust
      + [Answers.standardInputOption],
    exitNotes: [
      (.damaged, "a history does not agree with its hashes, roots or checkpoints"),
      (.loginNeeded, "the fleet refused the role"),
      (.serverTrouble, FleetQuestion.unreachable),
      (.untrusted, "the certificate of the fleet's server is not trusted"),
    ],
    examples: [
      "gatebook fleet verify --fleet postgresql://auditor@fleet.example.com/sessions",
      "gatebook fleet verify --book laptop17 --json",
    ], isAudit: true)

  func run(_ call: Call) async throws -> ExitCode {
    let access = try FleetArguments.access(call, FleetArguments.fleet)
    let branch = try FleetPullCommand.branch(call)
    let name = call.arguments[GlobalOptions.bookOption]
    let progress = call.progress
    let verdict = try await FleetVerifier(access).verify(
      book: name, branch: branch
    ) { done, all in
      Task { @MainActor in progress.show("verifying: \(done) of \(all) events") }
    }
    progress.finish()
    FleetVerdictRendering(call.output).show(
      verdict, isDetailed: name != nil || call.output.isVerbose)
    let missing = MissingServers(call)
    missing.note(verdict.missing)
    let exit = missing.finish()
    return verdict.ok ? exit : .damaged
  }
}
