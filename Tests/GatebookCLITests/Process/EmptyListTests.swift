internal import GatebookTestSupport
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
}
