internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// What every command prints, as text and as JSON, compared with kept files.
struct SnapshotTests {
  @Test func `help texts`() throws {
    let helps = CommandTable.commands.map { $0.help }
    try Snapshot.check(HelpText().overview(helps), "help")
    for help in helps {
      let name = help.name.split(separator: " ").joined(separator: "-")
      try Snapshot.check(HelpText().text([help]), "help-\(name)")
    }
  }

  @Test func `reading commands as text and as JSON`() throws {
    let scene = try Scene()
    try scene.populate()
    let commands: [(String, [String])] = [
      ("accounts", ["accounts"]), ("whoami", ["whoami"]), ("log", ["log"]),
      ("log-failed", ["log", "--failed", "--kind", "login", "--after", "1"]),
      ("sessions", ["sessions"]), ("show", ["show", "--account", "ben"]),
      ("show-as-of", ["show", "--account", "ada", "--as-of", "4"]), ("show-event", ["show", "9"]),
      ("sessions-as-of", ["sessions", "--as-of", "6"]), ("verify", ["verify"]),
      ("rebuild-check", ["rebuild", "--check"]),
      ("accounts-sealed", ["accounts", "--key", "none"]),
      ("whoami-sealed", ["whoami", "--key", "none"]),
      ("event-sealed", ["show", "3", "--key", "none"]), ("why", ["why"]),
      ("why-event", ["why", "9"]), ("why-sealed", ["why", "--key", "none"]),
      ("export-csv", ["export", "--format", "csv"]),
      ("export-ocsf", ["export", "--format", "ocsf", "--with-personal"]),
      ("export-cloudevents", ["export", "--format", "cloudevents", "--after", "3"]),
    ]
    for (name, line) in commands {
      for (suffix, more) in [("", []), ("-json", ["--json"])] {
        let ending = try scene.start(line + more).end()
        #expect(ending.exit == 0, "\(line): \(ending.errors)")
        try Snapshot.check(
          ending.output + ending.errors, name + suffix, folder: scene.folder)
      }
    }
  }

  @Test func `writing commands as text and as JSON`() throws {
    for (suffix, more) in [("", []), ("-json", ["--json"])] {
      let scene = try Scene()
      func check(_ name: String, _ line: [String], input: String = "") throws {
        let ending = try scene.start(line + more, ChildProcess.Streams(input: input)).end()
        #expect(ending.exit == 0, "\(line): \(ending.errors)")
        try Snapshot.check(ending.output + ending.errors, name + suffix, folder: scene.folder)
      }
      let login = [
        "login", "liferay", "--server", scene.portal.url, "--company-id", "10154",
        "--password-stdin", "--user",
      ]
      try check(
        "login", login + [FakePortalUser.ada.emailAddress],
        input: FakePortalUser.ada.password + "\n")
      try check(
        "login-second", login + [FakePortalUser.ben.emailAddress, "--label", "ben"],
        input: FakePortalUser.ben.password + "\n")
      try check("rename", ["rename", FakePortalUser.ada.emailAddress + "@127.0.0.1", "work"])
      try check("switch", ["switch", "work"])
      try check("restore", ["restore"])
      try check("restore-all", ["restore", "--all"])
      try check("rebuild", ["rebuild"])
      try check("logout", ["logout", "--account", "ben"])
      try check("logout-all", ["logout", "--all"])
      try check("backup", ["backup", "\(scene.folder)/copy"])
      try check("erase", ["erase", "ben", "--yes"])
    }
  }

  @Test func `errors as text and as JSON`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let commands: [(String, [String], ExitCode)] = [
      ("error-option", ["log", "--limt", "3"], .usage),
      ("error-account", ["whoami", "--account", "nobody"], .usage),
      ("error-position", ["show", "4000"], .usage), ("error-why", ["why", "0"], .usage),
      ("error-time", ["log", "--since", "soon"], .usage),
      ("error-book", ["accounts", "--book", "\(scene.folder)/none"], .cannotOpen),
      ("error-origin", ["request", "http://127.0.0.1:9/"], .untrusted),
    ]
    for (name, line, exit) in commands {
      for (suffix, more) in [("", []), ("-json", ["--json"])] {
        let ending = try scene.start(line + more).end()
        #expect(ending.exit == exit.rawValue)
        #expect(ending.output.isEmpty)
        try Snapshot.check(ending.errors, name + suffix, folder: scene.folder)
      }
    }
  }
}
