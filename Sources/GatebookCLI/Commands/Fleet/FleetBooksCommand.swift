internal import Gatebook
internal import GatebookFleet

/// `gatebook fleet books`.
struct FleetBooksCommand: Command {
  static let help = Help(
    "fleet books",
    "List the books of a fleet: their machines, their events, and when they were heard.",
    in: .fleet,
    details: [
      "A book that was copied, and both copies used, has a line for each history: the marks say where it "
        + "left the other one.",
      "Of events without encrypted facts nothing proves the content: see `gatebook help fleet verify`.",
    ] + FleetQuestion.details,
    options: FleetQuestion.options, exitNotes: FleetQuestion.exitNotes,
    examples: ["gatebook fleet books", "gatebook fleet books --book laptop17 --json"],
    isAudit: true, isPaged: true)

  func run(_ call: Call) async throws -> ExitCode {
    let missing = MissingServers(call)
    let reader = try FleetQuestion.reader(call, missing)
    let scope = try FleetQuestion.scope(call)
    let books = try await FleetQuestion.ask { try await reader.books(scope) }
    if !call.output.tells(programs: books.map(FleetRendering.json)) {
      if !books.isEmpty {
        call.output.table(FleetRendering.table(books, call.output.times))
      } else if missing.isEmpty {
        call.output.message("The fleet has no book yet. `gatebook ship` sends one.")
      }
    }
    return missing.finish()
  }
}
