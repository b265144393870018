import Gatebook
import Testing

@testable import GatebookFleet

struct OwnershipTests {
  @Test func `a book of another role is refused until it is handed over`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 30)
    try await fleet.ship(book)
    try await book.grow(by: 3)
    await expect(.fleetRefused) { () throws(GatebookError) in
      try await fleet.ship(book, as: .secondShipper)
    }
    let change = try await FleetOwnership.grant("laptop", to: "lap2", at: fleet.access(.admin))
    #expect(change.former == "lap1")
    try await fleet.ship(book, as: .secondShipper)
    try fleet.expectHas(book)
    await expect(.fleetRefused) { () throws(GatebookError) in try await fleet.ship(book) }
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await FleetOwnership.grant("laptop", to: "stranger1", at: try fleet.access(.admin))
    }
  }
}
