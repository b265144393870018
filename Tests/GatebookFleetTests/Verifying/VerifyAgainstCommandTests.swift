import Gatebook
import GatebookSystem
import Testing

@testable import GatebookFleet

/// `gatebook fleet verify` with heads that are kept in a file.
@Suite struct VerifyAgainstCommandTests {
  private let folder: TestFolder
  private let fleet: TestFleet
  private let book: TestBook
  private var file: String { folder.file("fleet.heads") }

  init() async throws {
    folder = try TestFolder()
    (fleet, book) = try await TestFleet.withBook()
  }

  private func run(_ words: String...) throws -> GatebookProcess.Ending {
    try GatebookProcess.run(["fleet", "verify", "--fleet", fleet.url(.auditor)] + words)
  }

  @Test func `the heads are written, compared, and replaced when asked`() async throws {
    let first = try run("--write-heads", file)
    #expect(first.exit == 0, "\(first.errors)")
    #expect(first.errors.contains("fleet.heads: the heads of 1 history. Keep it"))
    let old = Files.text(of: file)
    #expect(try FleetHeads(text: old) == (try await fleet.verify().heads()))
    try await book.grow(by: 5)
    try await fleet.ship(book)
    let second = try run("--against", file)
    #expect(second.exit == 0, "\(second.errors)")
    #expect(second.output.contains("1 history agrees with its kept head."), "\(second.output)")
    #expect(!second.errors.contains("kept elsewhere"))
    #expect(Files.text(of: file) == old)
    let named = try run("--against", file, "--book", "laptop")
    #expect(named.output.contains("The kept head of 109 events agrees."), "\(named.output)")
    #expect(try run("--against", file, "--json").output.contains(#""known":109"#))
    #expect(try run("--against", file, "--write-heads", file).exit == 0)
    #expect(try FleetHeads(text: Files.text(of: file)).heads.map(\.size) == [114])
    let other = try await TestBook.written(events: 10)
    try await fleet.ship(other, options: ShipmentOptions(machine: "kiosk"))
    let third = try run("--against", file)
    #expect(third.exit == 0)
    #expect(third.output.contains("1 history is new: the file has no head of it."))
    #expect(try run("--against", file, "--json").output.contains(#""new":true"#))
  }

  @Test func `a fleet that lost events ends with 5, and the file stays`() async throws {
    let ending = try run("--write-heads", file)
    #expect(ending.exit == 0, "\(ending.errors)")
    let old = Files.text(of: file)
    try fleet.run("DELETE FROM gatebook.event; DELETE FROM gatebook.branch")
    let gone = try run("--against", file, "--write-heads", file)
    #expect(gone.exit == 5)
    #expect(gone.output.contains("has no such history"), "\(gone.output)")
    #expect(gone.errors.contains("not written, because not all histories agree."))
    #expect(Files.text(of: file) == old)
    let json = try run("--against", file, "--json")
    #expect(json.exit == 5)
    #expect(json.output.contains(#""ok":false,"size":0"#), "\(json.output)")
  }

  @Test func `a file that is not there, or is another one, is refused`() throws {
    let missing = try run("--against", file)
    #expect(missing.exit == 1)
    #expect(missing.errors.contains("The file of kept heads could not be read."))
    let wrong = try run("--against", book.path)
    #expect(wrong.exit == 1)
    #expect(
      wrong.errors.contains("The file of kept heads was not written by Gatebook, or was cut."))
    #expect(try run("--write-heads", folder.file("none/fleet.heads")).exit == 1)
    #expect(try run("--write-heads", file).exit == 0)
    let again = try run("--write-heads", file)
    #expect(again.exit == 2)
    #expect(again.errors.contains("The file of --write-heads exists, and nothing compares it."))
  }

  @Test func `the command says that states were not compared, and compares them`() throws {
    let plain = try run()
    #expect(
      plain.errors.contains(
        "The states of accounts and sessions were not compared with the events: `--states` does that."
      ))
    #expect(plain.errors.contains("Only heads that were kept elsewhere can show"))
    let right = try run("--states")
    #expect(right.exit == 0)
    #expect(
      right.output.contains(
        "1 history has states of accounts and sessions that are what the events say."))
    try fleet.run("DELETE FROM gatebook.state WHERE part = 'session'")
    let wrong = try run("--states", "--json")
    #expect(wrong.exit == 5)
    #expect(wrong.output.contains(#""states":"compared""#))
    #expect(wrong.output.contains("The stored state of session "))
  }
}
