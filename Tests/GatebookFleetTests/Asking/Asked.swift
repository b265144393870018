import Gatebook
import GatebookSystem
import GatebookTestSupport
import Testing

@testable import GatebookFleet

/// The answers of commands, with a book's own beside those of the fleet.
struct Asked {
  let fleet: TestFleet

  /// Asks the fleet with the command line, as an auditor.
  func ask(_ words: [String], as role: FleetRole = .auditor) throws -> GatebookProcess.Ending {
    try GatebookProcess.run(["fleet"] + words + ["--fleet", fleet.url(role)])
  }

  /// The lines of a good answer in JSON.
  func lines(
    _ words: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let ending = try ask(words + ["--json"])
    #expect(ending.exit == 0, "\(ending.errors)", sourceLocation: sourceLocation)
    return ending.output.split(separator: "\n").map(String.init)
  }

  /// The same without what names the book.
  func ownLines(
    _ words: [String], of id: BookID, machine: String = "laptop",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let place = "{\"book\":\"\(id)\",\"machine\":\"\(machine)\","
    return try lines(words, sourceLocation: sourceLocation).map { line in
      // The rules that were not applied are of no book.
      guard !line.hasPrefix("{\"unchecked\":") else { return line }
      #expect(line.hasPrefix(place), sourceLocation: sourceLocation)
      return "{" + line.dropFirst(place.count)
    }
  }

  /// The lines of a command that asks the book itself, without its key.
  func local(
    _ words: [String], _ book: TestBook, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let ending = try GatebookProcess.run(
      words + ["--book", book.path, "--key", "none", "--json"])
    #expect(ending.exit == 0, "\(ending.errors)", sourceLocation: sourceLocation)
    return ending.output.split(separator: "\n").map(String.init)
  }
}

extension TestBook {
  /// The identity of the book.
  var id: BookID {
    get throws { try reader().id }
  }

  /// A closed book of accounts whose stories the rules of findings tell: a guessed password, a
  /// storm of renewals, a jump of the clock, a decision to trust, an erased account.
  static func eventful() async throws -> TestBook {
    let book = try TestBook()
    try await book.append(.login(ada), .login(bob))
    let session = SessionID(high: 0x5E55, low: ada.low)
    let store = try await book.open()
    for index in 0..<12 {
      book.clock.advance(by: .seconds(2))
      _ = try await store.append(
        Append([
          ProposedEvent(
            .refreshSucceeded, account: ada, session: session,
            data: [
              "boot": 1000, "fingerprint": .text("f\(index)"),
              "generation": .integer(Int64(index) + 2),
            ])
        ]))
    }
    for _ in 0..<6 {
      book.clock.advance(by: .seconds(20))
      _ = try await store.append(
        Append([
          ProposedEvent(
            .loginFailed, account: bob, session: SessionID(high: 7, low: 7),
            data: ["code": "credentials.refused", "method": "http"])
        ]))
    }
    _ = try await store.append(
      Append([
        ProposedEvent(.clockObserved, data: ["jump": 3_600_000_000]),
        ProposedEvent(
          .trustDecided, account: ada,
          data: [
            "by": "user", "host": "mail.example", "key": "k1", "port": 443, "verdict": "accepted",
          ]),
      ]))
    await store.close()
    try await book.append(.erasing(bob))
    return book
  }
}
