internal import Gatebook
internal import GatebookFleet
internal import GatebookSystem

/// `gatebook fleet verify`.
struct FleetVerifyCommand: Command {
  private static let against = CommandOption.value(
    "--against", "F", "a file that --write-heads wrote and that was kept elsewhere")
  private static let writeHeads = CommandOption.value(
    "--write-heads", "F",
    "if all histories agree, write their heads to this new file, or to the file of --against")
  private static let states = CommandOption.flag(
    "--states", "also compute the states of accounts and sessions again: this takes longer")

  static let help = Help(
    "fleet verify", "Check that the histories in the fleet are the books' own.", in: .fleet,
    details: [
      "Gatebook computes every hash and every root again, of many books at the same time. It compares them "
        + "with the roots that were shipped, and checks that the book's key signed each checkpoint. It also "
        + "finds rows that were deleted or added. No key is needed.",
      "Each history is read as it was at one moment, so machines can ship meanwhile.",
      "Of events that came without their encrypted facts (`ship --without-personal`) only the place in "
        + "the history is proven, not the content: their hashes cannot be computed again. Who can write to "
        + "the database can mark any event like that. The first one is named.",
      "The key of a book is in the database too. Who can write there can replace a history with its key, "
        + "remove it, or cut it at an earlier checkpoint. Only heads that were kept elsewhere can show that. "
        + "`--write-heads F` writes the size, the root and the key of each history. Keep this file where "
        + "nobody who can write to the database can write. Next time, `--against F --write-heads F` "
        + "compares it, names new histories, and replaces the file if nothing is wrong.",
      "What `fleet sessions` and `fleet accounts` answer comes from states that the machines have "
        + "computed. `--states` computes them again from the events, and names what differs.",
      "--book is the name of a machine here, or the id of a book or its first digits. Without it all books "
        + "are verified.",
      FleetArguments.passwords,
    ],
    options: [against, writeHeads, states, FleetPullCommand.branch, FleetArguments.fleet]
      + FleetArguments.trust
      + [Answers.standardInputOption],
    exitNotes: [
      (
        .damaged,
        "a history does not agree with its hashes, roots or checkpoints, or with its head of --against"
      ),
      (.loginNeeded, "the fleet refused the role"),
      (.serverTrouble, FleetQuestion.unreachable),
      (.untrusted, "the certificate of the fleet's server is not trusted"),
    ],
    examples: [
      "gatebook fleet verify --fleet postgresql://auditor@fleet.example.com/sessions",
      "gatebook fleet verify --write-heads fleet.heads",
      "gatebook fleet verify --against fleet.heads --write-heads fleet.heads",
      "gatebook fleet verify --book laptop17 --states --json",
    ], isAudit: true)

  func run(_ call: Call) async throws -> ExitCode {
    let access = try FleetArguments.access(call, FleetArguments.fleet)
    let branch = try FleetPullCommand.branch(call)
    let name = call.arguments[GlobalOptions.bookOption]
    let kept = try Self.kept(call)
    let file = try Self.file(call)
    let progress = call.progress
    let verdict = try await FleetVerifier(access).verify(
      book: name, branch: branch, against: kept, states: call.arguments.has(Self.states)
    ) { done, all in
      Task { @MainActor in progress.show("verifying: \(done) of \(all) events") }
    }
    progress.finish()
    FleetVerdictRendering(call.output).show(
      verdict, isDetailed: name != nil || call.output.isVerbose, isAgainst: kept != nil)
    if let file { try Self.write(verdict, kept, to: file, call) }
    let missing = MissingServers(call)
    missing.note(verdict.missing)
    let exit = missing.finish()
    return verdict.ok ? exit : .damaged
  }

  /// The heads that were kept; `nil` where none are given.
  @MainActor private static func kept(_ call: Call) throws -> FleetHeads? {
    guard let path = call.arguments[against] else { return nil }
    let bytes = try TextFile.bytes(path, what: "file of kept heads", limit: limit)
    // What is no UTF-8 is no line of it either.
    return try FleetHeads(text: String(decoding: bytes, as: UTF8.self))
  }

  /// Some hundred thousand histories.
  private static let limit = 64 << 20

  /// The file for the new heads: an older one is replaced only after it was compared.
  @MainActor private static func file(_ call: Call) throws -> OutputFile? {
    guard let path = call.arguments[writeHeads] else { return nil }
    let isCompared = call.arguments[against].map { Files.isSame($0, path) } ?? false
    guard isCompared || FileStatus(of: path)?.isRegular != true else {
      throw UsageError(
        "The file of --write-heads exists, and nothing compares it.",
        remedy: "Add `--against` with the same file, or name a new file.")
    }
    return try OutputFile.open(path)
  }

  @MainActor private static func write(
    _ verdict: FleetVerdict, _ kept: FleetHeads?, to file: OutputFile, _ call: Call
  ) throws {
    let path = Printable.text(call.arguments[writeHeads] ?? "")
    guard verdict.ok else {
      return call.output.message("\(path): not written, because not all histories agree.")
    }
    let heads = verdict.heads(keeping: kept)
    try file.write(Array(heads.text.utf8))
    try file.finish()
    let count = Figure.text(heads.heads.count, "history", "histories")
    call.output.message(
      "\(path): the heads of \(count). Keep it where nobody who can write to the database can write."
    )
  }
}
