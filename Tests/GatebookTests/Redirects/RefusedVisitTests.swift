import GatebookFakes
import Testing

@testable import Gatebook

/// What the log has of visitors to whom a login page showed nothing.
@Suite struct RefusedVisitTests {
  @Test(arguments: VisitRefused.Reason.allCases)
  func `a refused visit belongs to no account, and why tells it`(
    _ reason: VisitRefused.Reason
  ) async throws {
    let world = try TestBook()
    let book = try await world.open(RedirectServer().transport)
    try await book.recordRefusedVisit(reason)
    try await book.recordRefusedVisit(reason, count: 12)
    let reader = try BookReader.open(at: world.path)
    let events = try reader.events(EventFilter()).filter { $0.isKind(.visitRefused) }
    #expect(events.map { $0.data["reason"] } == [.text(reason.rawValue), .text(reason.rawValue)])
    #expect(events.map { $0.data["count"] } == [nil, 12])
    #expect(events.allSatisfy { $0.account == nil && $0.session == nil })
    let told = try events.map { Told(try #require(try reader.why($0.position))).answer }
    #expect(told.allSatisfy { $0.contains("the login page of ") }, "\(told)")
    #expect(told.map { $0.contains(" There were 12 such visits.") } == [false, true], "\(told)")
  }
}
