internal import Gatebook
internal import GatebookFleet

/// What the commands that ask a fleet have in common.
enum FleetQuestion {
  private static let branch = CommandOption.value(
    "--branch", "N", "only this history of a book that was copied: 0 is the first one")

  /// The options that say which fleet and which of its books.
  static let options =
    [FleetArguments.fleet, branch] + FleetArguments.trust + [Answers.standardInputOption]

  /// What the help of each of them says.
  static let details = [
    "`--book NAME` asks only one book: a machine's name, or a book's id or its beginning of at least four "
      + "digits. Without it all books of the fleet are asked. Personal facts are `sealed`, because a "
      + "fleet has no keys; accounts are named by their id or its beginning.",
    "The command does not check what it reads. `gatebook fleet verify` does.",
    "If a server of the fleet does not answer, the answer has the books on the other servers, says what is "
      + "missing, and ends with 4. A book on a server that answers is not affected.",
    "The role must be a member of gatebook_auditor. " + FleetArguments.passwords,
  ]

  /// What their exit 4 means.
  static let unreachable =
    "the fleet is out of reach, or one of its servers: the answer lacks its books"

  /// What an exit means for them.
  static let exitNotes: [(exit: ExitCode, meaning: String)] = [
    (.loginNeeded, "the fleet refused the role"), (.serverTrouble, unreachable),
    (.damaged, "the fleet holds something that no book wrote"),
    (.cannotOpen, "the database is no fleet, or one of a newer version"),
    (.untrusted, "the certificate of the fleet's server is not trusted"),
  ]

  /// Which fleet.
  ///
  /// - Parameters:
  ///   - call: The call.
  ///   - missing: Takes the servers that do not answer.
  /// - Returns: Asks it.
  /// - Throws: `UsageError` where none is named, or its URL cannot be used.
  @MainActor static func reader(
    _ call: Call, _ missing: MissingServers
  ) throws -> FleetReader {
    FleetReader(try FleetArguments.access(call, FleetArguments.fleet), missing: missing.note)
  }

  /// Which books and accounts of it.
  ///
  /// - Throws: `UsageError` for a branch that is no number; as ``PersonArguments/person(_:)``.
  @MainActor static func scope(_ call: Call) throws -> FleetScope {
    FleetScope(
      book: call.arguments[GlobalOptions.bookOption],
      branch: try call.arguments.integer(branch, in: 0...1_000_000).map { Int($0) },
      account: call.globals.account, person: try PersonArguments.person(call))
  }

  /// Asks; what the command line named wrongly is wrong usage.
  ///
  /// - Throws: What `body` throws.
  @MainActor static func ask<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
    do {
      return try await body()
    } catch let error as GatebookError {
      guard error.code == .configurationInvalid,
        ["book", "account", "as-of"].contains(error.setting ?? "")
      else { throw error }
      throw UsageError(Printable.text(error.message), remedy: Printable.text(error.remedy))
    }
  }

  /// Says of which books the stored states are not those of their newest events.
  @MainActor static func tellOldStates(_ books: some Sequence<FleetBook>, _ output: Output) {
    for book in books where book.hasOldStates || book.hasOtherFolds {
      let name = Printable.text(FleetRendering.name(book))
      if book.folded == .start {
        output.message("\(name): its accounts and sessions were not shipped yet.")
      } else if book.hasOldStates {
        output.message(
          "\(name): accounts and sessions are those after event \(book.folded), and the fleet has "
            + "\(book.size) events. The next `gatebook ship` there brings the newest.")
      } else {
        output.message(
          "\(name): another version of Gatebook made its accounts and sessions, after event "
            + "\(book.folded).")
      }
    }
  }

  /// Says of which books the fleet forgot old events, where an answer would have had them.
  @MainActor static func tellForgotten(_ books: [FleetBook], _ output: Output) {
    guard !output.isJSON else { return }
    for book in books where book.forgotten > .start {
      output.message(
        "\(Printable.text(FleetRendering.name(book))): the fleet forgot the events up to position "
          + "\(book.forgotten).")
    }
  }

  /// Refuses a good end where something could not be read.
  ///
  /// - Throws: `fleet.mismatch`.
  static func check(unreadable books: [FleetBook]) throws {
    guard let book = books.first else { return }
    let others = Set(books).count - 1
    throw GatebookError(
      .fleetMismatch,
      "The fleet holds something of \(FleetRendering.name(book)) that no book wrote"
        + (others == 0
          ? "." : ", and of \(Figure.text(Int64(others), "other book", "other books"))."),
      kept: "Everything else was printed.", remedy: "Check the fleet: `gatebook fleet verify`.")
  }
}
