internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// The times that `accounts` shows, beside those that it tells programs.
struct AccountColumnsTests {
  @Test func `since means the same to people and to programs`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    #expect(try !scene.run("accounts").output.contains("last verified"))
    scene.portal.stop()
    try scene.run("restore", "--all")
    let lines = try scene.run("accounts", "--utc").output.split(separator: "\n")
    #expect(lines.first?.hasSuffix("state    since                 last verified") == true)
    let json = try scene.run("accounts", "--json").output
    let shown = try #require(lines.last).matches(of: /(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)Z/)
      .map { "\($0.output.1)T\($0.output.2)" }
    for (name, time) in zip(["since", "lastVerified"], shown) {
      #expect(json.contains("\"\(name)\":\"\(time)."), "\(json)\n\(lines)")
    }
    #expect(shown.count == 2)
  }
}
