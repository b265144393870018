internal import Gatebook
internal import Glibc
internal import Testing

@testable internal import GatebookCLI
@testable internal import GatebookFakes

struct FollowTests {
  @Test func `log --follow prints what other processes record, each event once`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let child = try scene.start(["log", "--follow", "--json", "--kind", "login.succeeded"])
    #expect(child.read(until: "\n").contains("login.succeeded"))
    try scene.logIn(.ben, label: "ben")
    #expect(child.read(until: "\n").contains("login.succeeded"))
    child.signal(SIGINT)
    let ending = child.end()
    #expect(ending.exit == 130)
    #expect(ending.output.isEmpty)
  }

  @Test func `log --follow prints one heading, and later events below it`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let end = try BookReader.open(at: scene.book).head().size
    let child = try scene.start(["log", "--follow", "--after", "\(end)"])
    try scene.run("rename", "ada", "name")
    let first = child.read(until: "account.renamed")
    #expect(first.hasPrefix("position"), "\(first)")
    try scene.run("switch", "name")
    try scene.run("logout", "--account", "name")
    let text = first + child.read(until: "logout.completed")
    child.signal(SIGINT)
    let ending = child.end()
    #expect(ending.exit == 130 && !ending.errors.contains("No events match"), "\(ending.errors)")
    let lines = text.split(separator: "\n")
    #expect(lines.count { $0.contains("position") } == 1, "\(text)")
    let column = try #require(lines.first?.firstRange(of: "account")?.lowerBound)
    let place = text.distance(from: text.startIndex, to: column)
    for line in lines.dropFirst().dropLast() {
      #expect(line.dropFirst(place).hasPrefix("name"), "\(text)")
    }
  }

  @Test func `log --follow ends when its reader is gone, though nothing happens`() throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    let child = try scene.start(
      ["log", "--follow", "--kind", "key.changed", "--quiet"],
      ChildProcess.Streams(hasNoReader: true))
    #expect(child.end().exit == 0)
  }

  @Test(arguments: [["--json"], []])
  func `log --follow tells that the disk is full, and ends`(_ more: [String]) throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    let child = try scene.start(
      ["log", "--follow"] + more, ChildProcess.Streams(outputFile: "/dev/full"))
    let ending = child.end()
    #expect(ending.exit == 1)
    #expect(ending.errors.contains("the disk is full"), "\(ending.errors)")
  }

  @Test func `log --follow shows another process's event within a tenth of a second`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    try scene.run("rename", "ada", "name0")
    let child = try scene.start(["log", "--follow", "--json", "--kind", "account.renamed"])
    #expect(child.read(until: "\n").contains("account.renamed"))
    let times = TimeReader(now: Timestamp(rawValue: 0), zone: .utc)
    var delays: [Duration] = []
    for number in 1...7 {
      let writer = try scene.start(["rename", "name\(number - 1)", "name\(number)"])
      let line = child.read(until: "\n")
      let seen = SystemClock().now().wall
      let event = try #require(PlainJSON.read(Array(line.utf8)))
      // By the writer's clock before it was on the disk.
      delays.append(seen - (try times.moment(try #require(event["at"]?.string))))
      #expect(writer.end().exit == 0)
    }
    // Others use the machine too: the one in the middle.
    #expect(delays.sorted()[3] < .milliseconds(100), "\(delays)")
  }
}
