internal import Gatebook
internal import GatebookFleet

/// `gatebook fleet pull`.
struct FleetPullCommand: Command {
  private static let book = Positional(
    "BOOK", "the name of a machine, or the id of a book or its first digits")
  private static let file = CommandOption.value(
    "-o", "FILE", "the new file; it must not exist yet")
  /// Which history of a book.
  static let branch = CommandOption.value(
    "--branch", "N", "which history of the book, if it has more than one")

  static let help = Help(
    "fleet pull", "Write a book of the fleet into a file.", in: .fleet,
    details: [
      "The file is a book without secrets: no key belongs to it, personal data stays encrypted, and no "
        + "program writes to it. Its events and its root are those of the book, so `why`, `show`, `log`, "
        + "`report` and `verify` answer as they do without a key on the book's own machine.",
      "All events are verified first, with the signed checkpoint of the book if the fleet has one. "
        + "Unless they agree with it, no file is created.",
      "If the fleet does not have all of the book's past, the file begins where the book's own does: "
        + "after its last archive.",
      "A book that was shipped with --without-personal is refused, because the hashes of its events "
        + "cover what was not sent.",
      FleetArguments.passwords,
    ],
    positionals: [book],
    options: [file, branch, FleetArguments.fleet] + FleetArguments.trust
      + [Answers.standardInputOption],
    exitNotes: [
      (.loginNeeded, "the fleet refused the role"),
      (.serverTrouble, "the fleet is out of reach"),
      (.damaged, "the events in the fleet are damaged"),
      (.cannotOpen, "also: the database is no fleet, or one of a newer version"),
      (.untrusted, "the certificate of the fleet's server is not trusted"),
    ],
    examples: ["gatebook fleet pull laptop17 -o laptop17.gatebook"], isAudit: true)

  func run(_ call: Call) async throws -> ExitCode {
    guard let path = call.arguments[Self.file] else {
      throw UsageError(
        "`fleet pull` needs a file to write.",
        remedy: "Give `-o FILE`. See `gatebook help fleet pull`.")
    }
    let access = try FleetArguments.access(call, FleetArguments.fleet)
    let name = try call.arguments.required(Self.book)
    let branch = try Self.branch(call)
    let report = try await Self.pull(name, branch, access, to: FilePath.whole(path), call.progress)
    if call.output.isJSON {
      call.output.json(json(report))
      return .done
    }
    let proof =
      report.isSigned
      ? "verified with its signed checkpoint"
      : "verified, but no checkpoint of it is signed: events may be missing at the end"
    let start = report.first.rawValue > 1 ? " from position \(report.first) on" : ""
    call.output.line(
      call.output.painted(
        Printable.text(
          "\(report.path): \(Figure.text(report.events, "event", "events"))\(start) of "
            + "\(report.book.machine ?? report.book.id.description), \(proof)."), .good))
    call.output.message(
      "No key belongs to this copy. Read it with `--book \(ShellText.word(report.path)) --key none`."
    )
    return .done
  }

  private func json(_ report: PullReport) -> JSON {
    .present([
      "book": .text(report.book.id.description), "branch": .integer(Int64(report.book.branch)),
      "machine": report.book.machine.map { .text($0) }, "file": .text(report.path),
      "events": .integer(report.events), "first": .integer(report.first.rawValue),
      "size": .integer(report.book.size), "root": .text(report.root),
      "signed": .bool(report.isSigned),
    ])
  }

  /// The history that `--branch` names; `nil` where it was not given.
  @MainActor static func branch(_ call: Call) throws(UsageError) -> Int? {
    try call.arguments.integer(branch, in: 0...Int64(Int32.max)).map { Int($0) }
  }

  /// Pulls a book, and says how far it has come.
  static func pull(
    _ name: String?, _ branch: Int?, _ access: FleetAccess, to path: String,
    _ progress: ProgressLine
  ) async throws -> PullReport {
    do throws(GatebookError) {
      let report = try await FleetPull(from: access).pull(name, branch: branch, to: path) {
        done, all in
        Task { @MainActor in progress.show("pulling: \(done) of \(all) events") }
      }
      await progress.finish()
      return report
    } catch {
      await progress.finish()
      guard error.setting == "book" else { throw error }
      throw UsageError(error.message, remedy: error.remedy)
    }
  }
}
