internal import Gatebook
internal import GatebookFleet

/// `gatebook fleet accounts`.
struct FleetAccountsCommand: Command {
  private static let all = CommandOption.flag(
    "--all", "also accounts that were erased or whose session ended more than 30 days ago")

  static let help = Help(
    "fleet accounts", "List the accounts of the books of a fleet.", in: .fleet,
    details: [
      "States are those that each book computed when it was last shipped; what has expired since is shown "
        + "so. `--json` always lists all.",
      PersonArguments.details,
    ] + FleetQuestion.details,
    positionals: [.account],
    options: [all] + PersonArguments.options + FleetQuestion.options,
    exitNotes: PersonArguments.exitNotes + FleetQuestion.exitNotes,
    examples: [
      "gatebook fleet accounts", "gatebook fleet accounts --book laptop17 --all",
      "gatebook fleet accounts --person ada@example.com --pseudonym-key pseudonyms.key",
    ],
    isAudit: true, isPaged: true)

  func run(_ call: Call) async throws -> ExitCode {
    let missing = MissingServers(call)
    let reader = try FleetQuestion.reader(call, missing)
    let scope = try FleetQuestion.scope(call)
    let listsAll = call.arguments.has(Self.all) || scope.account != nil || call.output.isJSON
    guard try await PersonArguments.finds(reader, scope, call.output) else { return .done }
    let listing = FleetListing<SessionContext>(call.output)
    let now = call.now.wall
    try await FleetQuestion.ask {
      try await reader.accounts(scope, at: now) { (page) async throws(GatebookError) in
        try await listing.take(page) { page, output in
          let shown = page.entries.filter {
            listsAll || !AccountsCommand.isPast($0.value, at: now)
          }
          return (
            shown, { AccountRendering($0).json(isFull: false) },
            AccountRendering.table(shown.map(\.value), output.times.ofOtherMachines)
          )
        }
      }
    }
    let hidden = listing.count - listing.printed
    if hidden > 0 {
      call.output.message(
        "\(Figure.text(Int64(hidden), "account is", "accounts are")) not listed: erased, or ended more "
          + "than 30 days ago. `gatebook fleet accounts --all` lists them.")
    }
    return try listing.finish("No book of the fleet has an account.", missing)
  }
}
