import Gatebook
import Testing

@testable import GatebookFleet

extension TestFleet {
  /// Plans and forgets as a member of gatebook_owner.
  @discardableResult
  func forget(
    before moment: Timestamp, book: String? = nil, as role: FleetRole = .owner
  ) async throws(GatebookError) -> ForgettingReport {
    let forgetting = FleetForgetting(at: try access(role))
    return try await forgetting.forget(try await forgetting.plan(before: moment, book: book))
  }

  /// Forgets what a book recorded before an event, and expects that it is gone, and nothing else.
  ///
  /// - Parameters:
  ///   - book: The only book of the fleet.
  ///   - position: An event.
  ///   - sourceLocation: Where it is expected.
  /// - Returns: The last event that was forgotten.
  /// - Throws: What forgetting throws.
  @discardableResult
  func forget(
    _ book: TestBook, before position: Int64, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Int64 {
    let moment = try book.moment(of: position)
    let end = try book.end(before: moment)
    let there = try events()
    let report = try await forget(before: moment)
    #expect(report.ok, "\(report.kept)", sourceLocation: sourceLocation)
    #expect(report.forgotten.map(\.last.rawValue) == [end], sourceLocation: sourceLocation)
    let left = there.filter { $0 > end }
    #expect(report.events == Int64(there.count - left.count), sourceLocation: sourceLocation)
    #expect(try events() == left, sourceLocation: sourceLocation)
    return end
  }

  /// The positions of all events of a history that the fleet has.
  func events(branch: Int = 0) throws -> [Int64] {
    try connect().run(
      "SELECT position FROM gatebook.event WHERE branch = \(branch) ORDER BY position"
    ).map { $0.integer(0) }
  }

  /// Expects that a verification agrees.
  @discardableResult
  func expectVerified(
    forgotten: [Int64]? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> FleetVerdict {
    let verdict = try await verify()
    let problems = verdict.histories.flatMap(\.problems)
    #expect(verdict.ok, "\(problems)", sourceLocation: sourceLocation)
    if let forgotten {
      #expect(verdict.histories.map(\.forgotten) == forgotten, sourceLocation: sourceLocation)
    }
    return verdict
  }
}

extension TestBook {
  /// When an event of the book was.
  func moment(of position: Int64) throws -> Timestamp {
    try #require(try reader().event(at: Position(rawValue: position))).at
  }

  /// The last position before the first event that is at a moment or later.
  func end(before moment: Timestamp) throws -> Int64 {
    let later = try reader().events(EventFilter()).first { $0.at >= moment }
    return try later.map { $0.position.rawValue - 1 } ?? reader().head().size
  }
}
