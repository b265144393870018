import Gatebook
import GatebookSystem
import Glibc
import Testing

@testable import GatebookCLI

struct FleetDemoTests {
  /// One run for all tests that read what it printed.
  private static let told = Result { () throws -> Told in
    let place = try DemoPlace()
    let ending = try GatebookProcess.run(["fleet", "demo"], environment: place.environment)
    return Told(ending: ending, remains: place.remains)
  }

  private struct Told {
    let ending: GatebookProcess.Ending
    let remains: [String]
  }

  @Test(.timeLimit(.minutes(5)))
  func `the demo ships, asks, proves and copies back, and leaves nothing`() throws {
    let told = try Self.told.get()
    let ending = told.ending
    #expect(ending.exit == 0, "\(ending.output)")
    #expect(ending.errors.isEmpty, "\(ending.errors)")
    #expect(told.remains.isEmpty)

    let story = ToldStory(ending.output)
    #expect((12...20).contains(story.steps))
    let books = try #require(story.answers(to: "gatebook fleet books").first)
    for machine in FleetDemoMachines.names {
      let shipped = story.answers(to: "gatebook ship --book \(machine).gatebook")
      #expect(shipped.first?.contains("with a signed checkpoint") == true, "\(machine)")
      #expect(books.contains(machine))
    }
    let sessions = try #require(story.answers(to: "gatebook fleet sessions").first)
    #expect(sessions.matches(of: /\bactive\b/).count == 3)
    let failed = try #require(story.answers(to: "gatebook fleet log").first)
    #expect(failed.matches(of: /login\.failed/).count == 5)
    #expect(story.answers(to: "gatebook fleet findings").first?.contains("guessing") == true)
    #expect(story.answers(to: "gatebook fleet why").first?.contains("invalid_grant") == true)
  }

  @Test(.timeLimit(.minutes(5)))
  func `the row that the demo changes is named, and a stopped server stops only its books`() throws
  {
    let story = ToldStory(try Self.told.get().ending.output)
    let changes = story.answers(to: "psql $SHARD")
    let position = try #require(changes.first?.firstMatch(of: /position = (\d+)/)?.output.1)
    #expect(changes.filter { $0.contains("UPDATE 1") }.count == 2)
    let verdicts = story.answers(to: "gatebook fleet verify")
    try #require(verdicts.count == 2)
    #expect(verdicts[0].contains("kiosk"))
    #expect(verdicts[0].contains("The event at position \(position) was changed."))
    #expect(!verdicts[1].contains("position"))

    let shipped = story.answers(to: "gatebook ship --book laptop-ada.gatebook")
    try #require(shipped.count == 3)
    #expect(shipped[1].contains("does not answer"))
    let sizes = shipped.map { $0.firstMatch(of: /fleet has\s+(\d+)/)?.output.1 }
    #expect(sizes[1] == nil)
    #expect(Int(sizes[2] ?? "") ?? 0 > Int(sizes[0] ?? "") ?? 0)
    #expect(story.answers(to: "gatebook ship --book laptop-ben.gatebook").count == 2)
    let copy = try #require(story.answers(to: "gatebook verify --book copy.gatebook").first)
    #expect(copy.contains("\(sizes[2] ?? "?") events"))
  }

  @Test(.timeLimit(.minutes(5)))
  func `the demo leaves nothing when it is interrupted`() throws {
    let place = try DemoPlace()
    let process = try GatebookProcess(["fleet", "demo"], environment: place.environment)
    try wait(for: "shipment") { process.output.contains("gatebook ship --book laptop-ben") }
    process.interrupt()
    let ending = process.end()
    #expect(ending.exit == 130, "\(ending.output)")
    #expect(place.remains.isEmpty)
  }

  @Test(.timeLimit(.minutes(5)))
  func `servers and books go also when the demo is killed`() throws {
    let place = try DemoPlace()
    let process = try GatebookProcess(["fleet", "demo"], environment: place.environment)
    try wait(for: "server that starts") { !place.remains.isEmpty }
    process.kill()
    try wait(for: "empty folder") { place.remains.isEmpty }
  }

  @Test func `without PostgreSQL the demo says how to install it`() throws {
    let place = try DemoPlace()
    let ending = try GatebookProcess.run(
      ["fleet", "demo"], environment: place.environment,
      under: "mount -t tmpfs none /usr/lib/postgresql && exec \"$@\"")
    #expect(ending.exit == 1)
    #expect(ending.errors.contains("`sudo apt-get install postgresql`"), "\(ending.errors)")
    #expect(ending.errors.contains("/tools/install build fleet`"))
    #expect(place.remains.isEmpty)
  }

  @Test @MainActor func `without its script the demo says where it was looked for`() {
    let paths = ["/nowhere/tools/fleet", "/elsewhere/fleet-servers"]
    let error = #expect(throws: GatebookError.self) {
      try FleetDemoServers(in: .ofProcess(), paths)
    }
    #expect(error?.code == .configurationInvalid)
    for path in paths { #expect(error?.remedy.contains(path) == true) }
  }

  @Test @MainActor func `a script that starts no servers is named, to see why`() {
    let error = #expect(throws: GatebookError.self) {
      try FleetDemoServers(in: .ofProcess(), ["/bin/true"])
    }
    #expect(error?.remedy.contains("`/bin/true < /dev/null`") == true)
  }
}
