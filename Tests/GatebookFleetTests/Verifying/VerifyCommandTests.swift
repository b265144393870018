import Gatebook
import Testing

@testable import GatebookFleet

/// What `gatebook fleet verify` prints.
@Suite struct VerifyCommandTests {
  private static func run(_ fleet: TestFleet, _ words: String...) throws -> GatebookProcess.Ending {
    try GatebookProcess.run(["fleet", "verify", "--fleet", fleet.url(.auditor)] + words)
  }

  @Test func `a whole fleet ends with 0`() async throws {
    let (fleet, book) = try await TestFleet.withBook()
    let text = try Self.run(fleet)
    #expect(text.exit == 0, "\(text.errors)")
    #expect(text.output == "1 history agrees with itself: 109 events.\n")
    let named = try Self.run(fleet, "--book", "laptop")
    let head = try book.reader().head()
    let id = try book.reader().id
    #expect(
      named.output == """
        laptop, book \(id): agrees with itself: 109 events.
        root \(head.root)
        A checkpoint signed by the key that the book names covers all of them.
        1 history agrees with itself: 109 events.

        """)
    let json = try Self.run(fleet, "--json")
    #expect(
      json.output == """
        {"book":"\(id)","branch":0,"machine":"laptop","ok":true,"size":109,"events":109,\
        "root":"\(head.root)","level":"signed","covered":109,"problems":[]}

        """)
  }

  @Test func `a changed event ends with 5`() async throws {
    let (fleet, book) = try await TestFleet.withBook()
    try fleet.run("UPDATE gatebook.event SET at = at + 1 WHERE position = 77")
    let text = try Self.run(fleet)
    #expect(text.exit == 5)
    #expect(
      text.output == """
        laptop, book \(try book.reader().id): does not agree.
        The first bad position is 77. The events before it agree; nothing from 77 on is proven.
        - The event at position 77 was changed.
        0 of 1 histories agree.

        """)
    let json = try Self.run(fleet, "--json")
    #expect(json.exit == 5)
    #expect(json.output.contains(#""ok":false"#))
    #expect(
      json.output.contains(#""firstBad":77,"problems":["The event at position 77 was changed."]"#))
  }

  @Test func `an unknown name is wrong usage of the fleet, and no damage`() async throws {
    let (fleet, _) = try await TestFleet.withBook()
    let text = try Self.run(fleet, "--book", "nobody")
    #expect(text.exit == 1)
    #expect(text.errors.contains("The fleet has no book nobody."))
  }
}
