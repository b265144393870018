internal import Gatebook
internal import GatebookFleet
internal import GatebookSystem

/// The options that ask a fleet for one person.
enum PersonArguments {
  private static let person = CommandOption.value(
    "--person", "NAME",
    "only accounts of the person with this name or id, written as in their books; with `-` it is asked for"
  )
  private static let key = CommandOption.value(
    "--pseudonym-key", "F", "the key that the books are shipped with; `--person` needs it")

  static let options = [person, key]

  /// What the help of each command says of them.
  static let details =
    "`--person NAME --pseudonym-key F` finds the accounts of a person in all books. NAME is the server's "
    + "name or id of the user, or the name that was typed at a login. It stays on this machine: the fleet "
    + "gets only its keyed hashes. Names that no book knows, and books that were shipped without the key, "
    + "are not found."

  /// What an exit means for them.
  static let exitNotes: [(exit: ExitCode, meaning: String)] = [
    (.failed, "the fleet has no pseudonyms, or those of another key")
  ]

  /// Whom a command asks for; `nil` where it asks for nobody, or has no such options.
  ///
  /// - Throws: `UsageError` for one option without the other, and for an empty name; what reading
  ///   the key or the name throws.
  @MainActor static func person(_ call: Call) throws -> FleetPerson? {
    switch (call.arguments[person], call.arguments[key]) {
    case (nil, nil): return nil
    case (nil, _):
      throw UsageError(
        "`--pseudonym-key` needs `--person`.", remedy: "Add `--person NAME`, or leave it out.")
    case (_, nil):
      throw UsageError(
        "`--person` needs the key of the pseudonyms.",
        remedy: "Add `--pseudonym-key FILE` with the key that the books are shipped with.")
    case (let given?, let path?):
      guard !given.isEmpty else {
        throw UsageError("The name of `--person` is empty.", remedy: "Give a name or an id.")
      }
      let key = try PseudonymKey(try SecretFile.read(path, Self.key))
      return FleetPerson(given == "-" ? try ask(call.answers) : given, key)
    }
  }

  /// On a terminal it is asked for; a pipe brings it as a line, with or without `--password-stdin`.
  private static func ask(_ answers: Answers) throws(GatebookError) -> String {
    let source =
      FileDescriptor.isTerminal(FileDescriptor.standardInput) ? answers : answers.fromStandardInput
    return try source.text("Name of the person")
  }

  /// Says what the fleet does not know of a person.
  ///
  /// - Parameters:
  ///   - reader: The fleet.
  ///   - scope: Which person, in which books.
  ///   - output: Where it is said.
  /// - Returns: Whether there is something to ask for: also without a person.
  /// - Throws: What asking throws.
  @MainActor static func finds(
    _ reader: FleetReader, _ scope: FleetScope, _ output: Output
  ) async throws -> Bool {
    guard let reach = try await FleetQuestion.ask({ try await reader.reach(scope) }) else {
      return true
    }
    if reach.accounts == 0 {
      output.message(
        "No account of this name or id was found. Give it exactly as the book has it. Accounts that were "
          + "erased are not found.")
    }
    if reach.booksWithoutPseudonyms > 0 {
      output.message(
        "\(Figure.text(Int64(reach.booksWithoutPseudonyms), "book has", "books have")) events without "
          + "pseudonyms, so accounts may be missing. `gatebook ship --pseudonym-key FILE` on those machines "
          + "adds them.")
    }
    return reach.accounts > 0
  }
}
