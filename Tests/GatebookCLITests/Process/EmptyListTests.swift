internal import GatebookTestSupport
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// Listings without an entry say so to people, and nothing to programs.
struct EmptyListTests {
  @Test func `no event is told to people, and no line is to programs`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    for line in [
      ["log", "--until", "2000-01-01"], ["log", "--kind", "login.failed"],
      ["log", "--after", "4000"],
    ] {
      let told = try scene.start(line).end()
      #expect(told.exit == 0, "\(told.errors)")
      #expect(told.output.isEmpty)
      #expect(told.errors == "No events match.\n")
      let json = try scene.start(line + ["--json"]).end()
      #expect(json.exit == 0 && json.output.isEmpty && json.errors.isEmpty, "\(json.errors)")
    }
    #expect(try scene.run("log", "--after", "4000", "--quiet").errors.isEmpty)
  }

  @Test(arguments: ["log", "findings", "export"])
  func `an end before the start is no question`(_ command: String) throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let form = command == "export" ? ["--format", "csv"] : []
    let line = [command, "--since", "1h ago", "--until", "2h ago"] + form
    let told = try scene.start(line).end()
    #expect(told.exit == 2 && told.output.isEmpty)
    #expect(told.errors.contains("No time is between"), "\(told.errors)")
  }

  @Test func `a time that is still to come is said to be of the day before`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    // In the last minutes of the day 23:59 may have been.
    let isLate = time(nil) % 86_400 >= 86_100
    let times = [("23:59", true), ("0:00", false), ("yesterday 23:59", false)]
    for (time, isTold) in isLate ? times.dropFirst() : times[...] {
      let told = try scene.run("log", "--since", time, "--utc")
      #expect(told.exit == 0)
      #expect(told.errors.contains("still to come") == isTold, "\(time): \(told.errors)")
    }
  }
}
