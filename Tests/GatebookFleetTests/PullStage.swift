import Gatebook
import GatebookSystem
import Testing

@testable import GatebookFleet

/// A fleet and a folder that books are pulled into.
struct PullStage {
  let fleet: TestFleet
  let folder: TestFolder

  init() async throws { try self.init(of: try await TestFleet()) }

  /// Pulls from a fleet that is there.
  init(of fleet: TestFleet) throws {
    self.fleet = fleet
    folder = try TestFolder()
  }

  /// The file that is pulled into.
  var path: String { folder.file("pulled") }

  /// Pulls a history as an auditor.
  @discardableResult
  func pull(
    _ name: String? = nil, branch: Int? = nil, as role: FleetRole = .auditor, to path: String? = nil
  ) async throws(GatebookError) -> PullReport {
    try await FleetPull(from: try fleet.access(role)).pull(
      name, branch: branch, to: path ?? self.path)
  }

  /// Expects that no file is left in the folder.
  func expectNothingLeft(sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(Files.names(in: folder.path).isEmpty, sourceLocation: sourceLocation)
  }

  /// Runs `gatebook fleet`.
  func run(_ words: [String]) throws -> GatebookProcess.Ending {
    try GatebookProcess.run(["fleet"] + words, environment: ["GATEBOOK_FLEET": fleet.url(.auditor)])
  }

  /// The answer without the lines that say when it was given.
  private static func answer(_ ending: GatebookProcess.Ending) -> String {
    ending.output.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.contains(" as of position ") }.joined(separator: "\n")
  }

  /// Expects that each question gets the same answer about the pulled book as about the book
  /// itself, both without a key.
  ///
  /// - Parameters:
  ///   - book: The book itself.
  ///   - more: More questions.
  ///   - sourceLocation: Where it is expected.
  /// - Throws: What keeps the command from running.
  func expectAnswers(
    asOf book: String, _ more: [[String]] = [], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let accounts = [TestBook.ada, TestBook.bob].map(\.description)
    let questions =
      [
        ["log", "--json", "--limit", "100000"], ["accounts", "--json", "--all"],
        ["sessions", "--json"],
        ["report", "-o", "-", "--until", "2026-02-01"], ["verify", "--json"],
        ["findings", "--json"],
        ["export", "--format", "jsonl"],
      ] + accounts.flatMap { [["why", $0, "--json"], ["show", $0, "--json"]] } + more
    for question in questions {
      let own = try GatebookProcess.run(question + ["--book", book, "--key", "none"])
      let pulled = try GatebookProcess.run(question + ["--book", path, "--key", "none"])
      #expect(!own.output.isEmpty, "\(question) \(own.errors)", sourceLocation: sourceLocation)
      #expect(
        own.exit == pulled.exit, "\(question) \(pulled.errors)", sourceLocation: sourceLocation)
      #expect(
        Self.answer(own) == Self.answer(pulled), "\(question)", sourceLocation: sourceLocation)
    }
  }
}

extension TestBook {
  /// Changes the closed book's file by the stock shell.
  func tamper(_ sql: String) throws {
    let process = try #require(
      ChildProcess(
        "/usr/bin/sqlite3", ["sqlite3", path, sql], environment: [],
        streams: [.nothing, .nothing, .inherited]))
    #expect(process.wait()?.code == 0)
  }
}
