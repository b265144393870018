internal import Gatebook
internal import GatebookFleet
internal import GatebookSystem

/// The servers that an answer of a fleet lacks, because they do not answer.
@MainActor struct MissingServers {
  private let output: Output
  /// The book that was asked for; `nil` for all.
  private let book: String?
  private let found = Locked<[MissingServer]>([])

  init(_ call: Call) {
    output = call.output
    book = call.arguments[GlobalOptions.bookOption]
  }

  /// Whether all servers have answered.
  var isEmpty: Bool { found.withLock(\.isEmpty) }

  /// Takes them, on any thread.
  var note: MissingServerReader {
    let found = found
    return { servers in found.withLock { $0 = servers } }
  }

  /// Says after the answer what it lacks.
  ///
  /// - Parameter exit: The exit if the answer is whole.
  /// - Returns: The exit: ``ExitCode/serverTrouble`` for an answer about all books that lacks some.
  func finish(_ exit: ExitCode = .done) -> ExitCode {
    let servers = found.withLock { $0 }
    guard !servers.isEmpty else { return exit }
    if output.isJSON { output.json(Self.json(servers)) }
    guard let book else {
      output.report(
        ErrorReport.of(
          GatebookError.missing(
            servers,
            kept: "The answer has the books on the other servers. How many it lacks is not known."))
      )
      return .serverTrouble
    }
    if !output.isJSON {
      let names = servers.map(\.name).joined(separator: ", ")
      output.message(
        Printable.text(
          "\(names) did not answer: another book named \(book) there would be missing here."))
    }
    return exit
  }

  private static func json(_ servers: [MissingServer]) -> JSON {
    .members([
      (
        "missing",
        .list(
          servers.map { server in
            .members([
              ("server", .text(server.name)), ("place", .text(server.place)),
              ("parts", .list(server.parts.map { .integer(Int64($0)) })),
              ("reason", .text(server.reason)),
            ])
          })
      )
    ])
  }
}
