internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// What `--account` may be, and what is said where it could be several.
struct AccountNameTests {
  @Test func `the beginning of an id names an account when it is long enough and nobody else's`()
    throws
  {
    let scene = try Scene()
    try scene.populate()
    let ids = try BookReader.open(at: scene.book).accounts().map(\.account.description)
    for id in ids {
      let two = String(id.prefix(2))
      let named = try scene.run("whoami", "--account", two, "--key", "none")
      let isAlone = ids.count { $0.hasPrefix(two) } == 1
      #expect(named.exit == (isAlone ? 0 : 2), "\(named.errors)")
      let one = String(id.prefix(1))
      let short = try scene.run("whoami", "--account", one, "--key", "none")
      #expect(short.exit == 2)
      let mates = ids.filter { $0.hasPrefix(one) }
      #expect(
        short.errors.contains(mates.count == 1 ? "too short" : "ambiguous"), "\(short.errors)")
      for mate in mates { #expect(short.errors.contains(mate.prefix(8)), "\(short.errors)") }
    }
  }

  @Test func `a login leaves the label that its account has, and says how to change it`() throws {
    let scene = try Scene()
    for _ in 1...2 {
      #expect(try !scene.logIn(.ada, label: "private").errors.contains("keeps its label"))
    }
    let told = try scene.logIn(.ada, label: "work").errors
    #expect(told.contains("The account keeps its label private."), "\(told)")
    #expect(told.contains("`gatebook rename private work`"), "\(told)")
    #expect(try scene.run("whoami", "--account", "private").exit == 0)
    #expect(try scene.run("rename", "private", "work").exit == 0)
    #expect(try scene.run("whoami", "--account", "work").exit == 0)
  }

  @Test(
    arguments: [
      ["whoami"], ["why"], ["show"], ["token"], ["refresh"], ["sync"], ["log"], ["sessions"],
      ["findings"], ["stats"], ["restore"], ["logout"], ["switch"], ["login"],
      ["credentials", "remove"], ["trust", "list"],
    ])
  func `an account as an argument is what --account would name`(_ line: [String]) throws {
    let scene = try Scene()
    try scene.populate()
    let unknown = try scene.start(line + ["bem"]).end()
    #expect(unknown.exit == 2, "\(unknown.errors)")
    #expect(unknown.errors.contains("Unknown account `bem`."), "\(unknown.errors)")
    #expect(unknown.errors.contains("Did you mean `ben`?"), "\(unknown.errors)")
    #expect(try scene.start(line + ["ada", "--account", "ben"]).end().exit == 2)
    // What each prints is its own: it is the account's here as there.
    guard ["whoami", "show", "log", "sessions"].contains(line[0]) else { return }
    let argument = try scene.start(line + ["ada", "--json"]).end()
    let option = try scene.start(line + ["--account", "ada", "--json"]).end()
    #expect(argument.exit == 0, "\(argument.errors)")
    #expect(argument.output == option.output)
    #expect(argument.output != (try scene.start(line + ["ben", "--json"]).end().output))
  }

  @Test func `digits alone are a position`() throws {
    let scene = try Scene()
    try scene.populate()
    let event = try scene.run("log", "--json", "--limit", "1").output
    let position = try #require(event.firstMatch(of: /"position":([0-9]+)/)).output.1
    #expect(try scene.run("show", String(position), "--json").output == event)
    #expect(try scene.run("why", String(position)).exit == 0)
    let refused = try scene.run("token", "12")
    #expect(refused.exit == 2)
    #expect(refused.errors.contains("`--account 12`"), "\(refused.errors)")
  }

  @Test func `GATEBOOK_ACCOUNT replaces the current account, and nothing else`() throws {
    let scene = try Scene()
    try scene.populate()
    let ben = ["GATEBOOK_ACCOUNT": "ben"]
    #expect(try scene.run("whoami", "--json").output.contains(#""label":"cleo""#))
    for name in ["ada", "ben"] {
      let named = try scene.start(["whoami", "--json"], environment: ["GATEBOOK_ACCOUNT": name])
        .end()
      #expect(named.output.contains(#""label":"\#(name)""#), "\(named.errors)")
    }
    let option = try scene.start(["whoami", "ada", "--json"], environment: ben).end()
    #expect(option.output.contains(#""label":"ada""#), "\(option.errors)")
    for line in [["log"], ["sessions"], ["findings"], ["stats"], ["accounts"]] {
      let all = try scene.start(line + ["--json"]).end().output
      #expect(try scene.start(line + ["--json"], environment: ben).end().output == all, "\(line)")
    }
    for line in [["erase", "--yes"], ["switch"], ["rename", "x"]] {
      #expect(try scene.start(line, environment: ben).end().exit == 2, "\(line)")
    }
    let nobody = ["GATEBOOK_ACCOUNT": "nobody"]
    let unknown = try scene.start(["whoami"], environment: nobody).end()
    #expect(unknown.exit == 2)
    #expect(unknown.errors.contains("$GATEBOOK_ACCOUNT: Unknown account `nobody`."))
    #expect(try scene.start(["logout", "--all"], environment: nobody).end().exit == 0)
  }

  @Test func `accounts that are only history are listed where all are asked for`() throws {
    let scene = try Scene()
    try scene.populate()
    #expect(try scene.run("erase", "ben", "--yes").exit == 0)
    let id = try scene.run("accounts", "--json").output.split(separator: "\n")
      .compactMap { $0.contains(#""erased""#) ? $0.firstMatch(of: /"id":"(.{8})/)?.output.1 : nil }
      .first
    let erased = String(try #require(id))
    let listed = try scene.run("accounts")
    #expect(!listed.output.contains(erased), "\(listed.output)")
    #expect(listed.errors.contains("`gatebook accounts --all`"), "\(listed.errors)")
    #expect(try scene.run("accounts", "--all").output.contains(erased))
    #expect(try scene.run("accounts", "--names").output.contains(erased))
  }
}
