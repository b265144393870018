internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// Every method on the login page in Chromium, by the keyboard alone: in both themes, on a phone
/// and on a desktop.
struct EveryMethodTests {
  @Test(arguments: ["default", "flat7"])
  func `every method logs in on the page, on a phone and on a desktop`(_ theme: String) async throws
  {
    let servers = try PageServers()
    defer { servers.stop() }
    let plan = try BrowserPlan()
    for (number, method) in PageMethod.allCases.enumerated() {
      for width in [320, 1440] as [Int64] {
        // Each look at least once: dark and light, and axe for each kind of form.
        let isDark = (number + (width == 320 ? 0 : 1)) % 2 == 0
        try plan.run(
          "\(method.rawValue), \(theme), \(width) px",
          method.words(at: servers.url(of: method)) + ["--theme", theme, "--label", "mine"],
          [
            .sees(["heading": .form, "fields": .texts(method.fields), "errors": .present([:])]),
            .types(
              method.answers, ["heading": .loggedIn, "facts": .by(["Account": "mine"])]),
          ],
          settings: [
            "width": .integer(width), "scheme": .text(isDark ? "dark" : "light"),
            "axe": .bool([.liferayEmail, .liferayPassword, .fcsdk, .mobileFirst].contains(method)),
            "prints": .texts(["Logged in"]),
          ])
      }
    }
    let problems = try await plan.problems()
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  @Test func `the demo shows the page, also in the theme of the article`() async throws {
    let plan = try BrowserPlan()
    let theme = try TemporaryFolder(named: "gatebook-theme").path
    defer { TemporaryFolder(at: theme).remove() }
    for block in try CodeBlock.blocks(of: "Sources/Gatebook/Gatebook.docc/LoginPage.md")
    where ["html", "css", "svg"].contains(block.language) {
      try TextFile.write(Array(block.text.utf8), to: "\(theme)/paper.\(block.language)")
    }
    for (look, width) in [("default", 1440), (theme, 320), (theme, 1440)] as [(String, Int64)] {
      try plan.run(
        "demo, \(look), \(width) px", ["demo", "--theme", look],
        [
          .types(
            [("user", FakePortalUser.ben.emailAddress), ("password", "not my password")],
            ["errors": .by(["password": "did not accept"])]),
          .types([("password", FakePortalUser.ben.password)], ["heading": .loggedIn]),
        ],
        settings: [
          "width": .integer(width), "axe": true, "scheme": width == 320 ? "dark" : "light",
          "prints": .texts(["Logged in to"]), "shown": .texts([FakePortalUser.ben.password]),
        ])
    }
    let problems = try await plan.problems()
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }
}
