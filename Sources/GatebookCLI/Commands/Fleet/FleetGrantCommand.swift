internal import Gatebook
internal import GatebookFleet

/// `gatebook fleet grant`.
struct FleetGrantCommand: Command {
  private static let book = Positional(
    "BOOK", "the book: a machine's name, or a book's identity or its beginning")
  private static let role = CommandOption.value(
    "--to", "ROLE", "the role that ships the book from now on")

  static let help = Help(
    "fleet grant", "Hand a book of the fleet over to another role.", in: .fleet,
    details: [
      "The role that ships a book first owns it, and the fleet refuses the book from any other role. Use "
        + "this when the book has moved to a machine with a role of its own. It fails while the part of the "
        + "book moves to another server: run it again then."
    ],
    positionals: [book],
    options: [role, FleetArguments.fleet] + FleetArguments.trust + [Answers.standardInputOption],
    examples: ["gatebook fleet grant laptop17 --to laptop18"])

  func run(_ call: Call) async throws -> ExitCode {
    let access = try FleetArguments.access(call, FleetArguments.fleet)
    let change = try await FleetOwnership.grant(
      try call.arguments.required(Self.book), to: try call.arguments.required(Self.role), at: access
    )
    let result = JSON.present([
      "book": .text(change.book.description), "former": .text(change.former),
      "owner": .text(change.owner),
    ])
    guard !call.output.tells(programs: [result]) else { return .done }
    call.output.line(
      Printable.text(
        "Book \(change.book): \(change.owner) ships it from now on, and no longer \(change.former)."
      ))
    return .done
  }
}
