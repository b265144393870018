internal import CSQLite
internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI
@testable internal import GatebookStore

/// `--account`, which every command takes.
struct AccountOptionTests {
  /// What each command needs beside its name; at the port there is no server.
  private static let lines: [String: [String]] = [
    "demo": [], "login": ["--callback", "com.example.app:/none?state=x"],
    "login liferay": ["--server", nowhere, "--user", "ada"],
    "login oidc": ["--issuer", nowhere, "--client-id", "app", "--flow", "device"],
    "login oauth2": [
      "--token-url", nowhere, "--device-url", nowhere, "--check", nowhere, "--client-id", "app",
      "--flow", "device",
    ],
    "login oauth1": [
      "--request-url", nowhere, "--authorize-url", nowhere, "--access-url", nowhere,
      "--consumer-key", "k", "--check", nowhere,
    ],
    "login http": ["--url", nowhere, "--user", "ada"],
    "login form": ["--url", nowhere, "--check", nowhere, "--user", "ada"],
    "login mobilefirst": [
      "--server", nowhere, "--app", "com.example.app", "--check", "c", "--user", "ada",
    ],
    "login fcsdk": ["--server", nowhere, "--user", "ada"],
    "refresh": [], "logout": [], "restore": [], "status": [], "accounts": [],
    "whoami": [], "switch": [],
    "rename": ["other"], "credentials remove": [], "trust list": [], "trust revoke": [],
    "request": [nowhere], "token": [], "sync": [], "log": [], "sessions": [], "show": [],
    "why": [], "stats": [], "findings": [], "report": ["-o", "/dev/null"],
    "export": ["--format", "jsonl"],
    "verify": [], "checkpoint": [], "prove": ["3"], "verify-proof": ["/dev/null"],
    "backup": ["/dev/null"], "erase": ["--yes"], "key move": ["file"], "rebuild": [],
    "archive": ["-o", "/dev/null/none"], "recover": ["-o", "/dev/null/none"], "doctor": [],
    "completions": ["bash"],
    "ship": ["--to", "postgresql://127.0.0.1:9/none", "--wait", "0"],
    "exec": ["--env", "TOKEN", "--", "true"],
  ]
  private static let nowhere = "http://127.0.0.1:9/"

  /// Those with tests of their own for it: helpers, which answer in their program's protocol, what
  /// runs until a signal ends it, and what asks a fleet about other machines' accounts.
  private static let names = CommandTable.commands.map { $0.help.name }
    .filter { name in
      !["credential ", "proxy", "agent", "fleet "].contains { name.hasPrefix($0) }
    }

  @Test(arguments: names)
  func `every command takes an account, and refuses one that there is not`(
    _ name: String
  ) throws {
    let command = try #require(CommandTable.commands.first { $0.help.name == name })
    let takesAnswers = command.help.options.contains(Answers.standardInputOption)
    let rest = (takesAnswers ? ["--password-stdin"] : []) + (try #require(Self.lines[name]))
    let line = { (account: String) in command.help.words + ["--account", account] + rest }
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    try scene.logIn(.ben, label: "ben")
    let before = try scene.run("log", "--json").output
    // The book of the demo is made by it: whom it holds cannot be known before. Some
    // commands need no book.
    if !["demo", "verify-proof", "completions"].contains(name) {
      let unknown = try scene.start(
        line("nobody"), ChildProcess.Streams(input: "x\n")
      ).end()
      #expect(unknown.exit == 2, "\(unknown.errors)")
      #expect(unknown.output.isEmpty)
      #expect(unknown.errors.contains("Unknown account `nobody`."), "\(unknown.errors)")
      #expect(try scene.run("log", "--json").output == before)
    }
    let known = try scene.start(
      line("ada"), ChildProcess.Streams(input: "x\n")
    ).end()
    #expect(known.exit != 2, "\(known.errors)")
    #expect(!known.errors.contains("has no option"), "\(known.errors)")
  }

  @Test func `a user's name alone is no account's, and the error says whose it is`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "work")
    let row = try scene.run("accounts", "--json").output
    let id = try #require(
      row.firstRange(of: #""id":""#).map { row[$0.upperBound...].prefix(8) })
    let user = try #require(
      row.firstRange(of: #""user":""#).map { row[$0.upperBound...].prefix { $0 != "\"" } })
    let outcome = try scene.run("whoami", "--account", String(user))
    #expect(outcome.exit == 2)
    #expect(
      outcome.errors.contains("or `user@host`. Accounts of a user with that name: \(id)."),
      "\(user): \(outcome.errors)")
  }

  @Test func `a list has the account alone`() throws {
    let scene = try Scene()
    try scene.populate()
    let all = try scene.run("accounts", "--json").output.split(separator: "\n")
    for name in ["ada", "ben"] {
      let lines = try scene.run("accounts", "--json", "--account", name).output
      #expect(lines.split(separator: "\n") == all.filter { $0.contains(#""label":"\#(name)""#) })
    }
  }

  @Test func `an event is shown if it is the account's`() throws {
    let scene = try Scene()
    try scene.populate()
    let event = try scene.run("log", "--account", "ada", "--json", "--limit", "1").output
    let position = try #require(event.dropFirst(#"{"position":"#.count).split(separator: ",").first)
    #expect(
      try scene.run("show", String(position), "--account", "ada", "--json").output == event)
    let other = try scene.run("show", String(position), "--account", "ben")
    #expect(other.exit == 2)
    #expect(other.output.isEmpty)
  }

  @Test(
    arguments: [
      "DELETE FROM account_state WHERE account = 1",
      "UPDATE account_state SET state = '' WHERE account = 1",
    ])
  func `an account whose own row is damaged is rebuilt and verified by its id`(
    _ damage: String
  ) throws {
    let scene = try Scene()
    try scene.populate()
    let whole = try scene.run("accounts", "--json").output
    let line = try #require(whole.split(separator: "\n").first { $0.contains(#""label":"ada""#) })
    let id = try #require(line.firstRange(of: #""id":""#)).upperBound
    let account = String(line[id...].prefix(32))
    let book = try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE)
    try book.execute(damage)
    let check = try scene.start(["rebuild", "--check", "--account", account]).end()
    #expect(check.exit == 5, "\(check.errors)")
    let verified = try scene.start(["verify", "--account", account]).end()
    #expect(verified.exit == 0, "\(verified.errors)")
    let rebuilt = try scene.start(["rebuild", "--account", account]).end()
    #expect(rebuilt.exit == 0, "\(rebuilt.errors)")
    #expect(try scene.start(["rebuild", "--check", "--account", account]).end().exit == 0)
    let nobody = String(repeating: "0", count: 32)
    #expect(try scene.start(["rebuild", "--account", nobody]).end().exit == 2)
  }

  @Test(arguments: [["switch", "ben"], ["rename", "ben", "b"]])
  func `an argument and --account name the same account`(_ line: [String]) throws {
    let scene = try Scene()
    try scene.populate()
    let before = try scene.run("log", "--json").output
    let two = try scene.start(line + ["--account", "ada"]).end()
    #expect(two.exit == 2)
    #expect(two.errors.contains("two accounts"), "\(two.errors)")
    #expect(try scene.run("log", "--json").output == before)
    let one = try scene.start(line + ["--account", "ben"]).end()
    #expect(one.exit == 0, "\(one.errors)")
    #expect(
      one.output.hasPrefix(
        line.count == 2 ? "The current account is ben (" : "The account is now called b ("))
  }

  @Test func `without an argument --account is what it would name`() throws {
    let scene = try Scene()
    try scene.populate()
    let switched = try scene.run("switch", "--account", "ada", "--json")
    #expect(switched.output.contains(#""label":"ada""#), "\(switched.errors)")
    #expect(switched.output.contains(#""current":true"#))
    let renamed = try scene.run("rename", "--account", "ben", "b", "--json")
    #expect(renamed.output.contains(#""label":"b""#), "\(renamed.errors)")
    for line in [["switch"], ["rename"], ["rename", "ada"], ["rename", "--account", "ada"]] {
      #expect(try scene.start(line).end().exit == 2, "\(line)")
    }
  }

  @Test func `a login of another user than the account's is 8, and changes nothing`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada", mode: "cookie")
    try scene.logIn(.ben, label: "ben", mode: "cookie")
    let accounts = try scene.run("accounts", "--json").output
    let login = [
      "login", "liferay", "--server", scene.portal.url, "--company-id", "10154", "--mode",
      "cookie", "--password-stdin", "--account", "ada", "--user",
    ]
    for user in [FakePortalUser.ben, .cleo] {
      let ending = try scene.start(
        login + [user.emailAddress], ChildProcess.Streams(input: user.password + "\n")
      ).end()
      #expect(ending.exit == 8, "\(ending.errors)")
      #expect(ending.output.isEmpty)
      #expect(ending.errors.contains("another user than the account's"), "\(ending.errors)")
      let isKnown = user == FakePortalUser.ben
      #expect(ending.errors.contains("That user is ben (") == isKnown, "\(ending.errors)")
      #expect(ending.errors.contains("`gatebook login --account ben`") == isKnown)
      #expect(try scene.run("accounts", "--json").output == accounts)
    }
    let ada = try scene.start(
      login + [FakePortalUser.ada.emailAddress, "--json"],
      ChildProcess.Streams(input: FakePortalUser.ada.password + "\n")
    ).end()
    #expect(ada.exit == 0, "\(ada.errors)")
    #expect(ada.output.contains(#""label":"ada""#))
  }

  @Test func `a book is not made for an account that it cannot hold`() throws {
    let scene = try Scene()
    let ending = try scene.run(
      "login", "http", "--url", scene.portal.url + "/", "--user", "ada", "--password-stdin",
      "--account", "ada", input: "x\n")
    #expect(ending.exit == 7)
    #expect(scene.portal.requests.isEmpty)
    #expect(try scene.run("accounts").exit == 7)
  }

  @Test func `verify tells the account's share of the whole`() throws {
    let scene = try Scene()
    try scene.populate()
    let whole = try scene.run("verify", "--json").output
    let events = try scene.run("log", "--account", "ada", "--json").output.split(separator: "\n")
    let share = try scene.run("verify", "--account", "ada", "--json")
    #expect(share.exit == 0, "\(share.errors)")
    #expect(share.output.hasPrefix(whole.dropLast(2)))
    #expect(share.output.contains(#","events":\#(events.count)}"#), "\(share.output)")
    let text = try scene.run("verify", "--account", "ada").output
    #expect(text.contains("\(events.count) of them belong to the account"), "\(text)")
  }

  @Test func `doctor still examines a book that cannot tell its accounts`() throws {
    let scene = try Scene()
    let ending = try scene.run("doctor", "--account", "ada", "--json")
    #expect(ending.exit == 1)
    #expect(ending.output.contains(#""subject":"book""#), "\(ending.output)")
  }
}
