internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// Listings without an entry say so to people, and nothing to programs.
struct EmptyListTests {
  @Test func `an empty log says so to people, and prints no line for programs`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let end = try BookReader.open(at: scene.book).head().size
    for line in [
      ["log", "--until", "2000-01-01"], ["log", "--kind", "login.failed"],
      ["log", "--after", "\(end)"],
    ] {
      let told = try scene.start(line).end()
      #expect(told.exit == 0, "\(told.errors)")
      #expect(told.output.isEmpty)
      #expect(told.errors == "No events match.\n")
      let json = try scene.start(line + ["--json"]).end()
      #expect(json.exit == 0 && json.output.isEmpty && json.errors.isEmpty, "\(json.errors)")
    }
    #expect(try scene.run("log", "--after", "\(end)", "--quiet").errors.isEmpty)
  }

  @Test func `events after the end of the book can only be waited for`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let end = try BookReader.open(at: scene.book).head().size
    for line in [["log"], ["log", "--json"], ["export", "--format", "jsonl"]] {
      let refused = try scene.start(line + ["--after", "\(end + 1)"]).end()
      #expect(refused.exit == 2 && refused.output.isEmpty, "\(line): \(refused.output)")
      #expect(
        refused.errors.contains(
          "is beyond the end of the book, which is at position \(end)."), "\(refused.errors)")
    }
    let follower = try scene.start(["log", "--json", "--follow", "--after", "\(end + 1)"])
    try scene.run("rename", "ada", "eve")
    try scene.run("rename", "eve", "ann")
    #expect(follower.read(until: "\n").hasPrefix(#"{"position":\#(end + 2),"#))
    follower.signal(SIGINT)
    #expect(follower.end().exit == 130)
  }

  @Test(arguments: ["log", "findings", "export"])
  func `an end before the start is no question`(_ command: String) throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let form = command == "export" ? ["--format", "csv"] : []
    let moment = "2025-11-20T14:00:05Z"
    for (start, end) in [("1h ago", "2h ago"), (moment, moment)] {
      let line = [command, "--since", start, "--until", end] + form
      let told = try scene.start(line).end()
      #expect(told.exit == 2 && told.output.isEmpty)
      #expect(told.errors.contains("No time is between"), "\(told.errors)")
    }
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
      #expect(told.errors.contains("is in the future") == isTold, "\(time): \(told.errors)")
    }
  }
}
