internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// What is said must be true of the command that says it.
struct WordingTests {
  @Test(arguments: [
    (["http", "--url", "<server>/none?secret=canary"], "/none", "`--url`"),
    (["form", "--url", "<server>/none", "--check", "<server>/shop/"], "/none", "`--url`"),
    (
      ["form", "--url", "<server>/dologin", "--check", "<server>/nothing"], "/nothing", "`--check`"
    ),
  ])
  func `a wrong URL is reported with the URL and its option`(
    _ line: [String], _ path: String, _ option: String
  ) throws {
    let scene = try Scene()
    let server = try PlainServer.start()
    defer { server.stop() }
    let words = line.map { $0.replacing("<server>", with: server.url) }
    let ending = try scene.start(
      ["login"] + words + ["--user", PlainServer.user, "--password-stdin"],
      ChildProcess.Streams(input: PlainServer.password + "\n")
    ).end()
    #expect(ending.exit == 1, "\(ending.errors)")
    #expect(
      ending.errors.contains("gatebook: The server answered 404 at \(server.url)\(path).\n"),
      "\(ending.errors)")
    #expect(ending.errors.contains(option), "\(ending.errors)")
    #expect(!ending.errors.contains("canary"))
    for name in ["loginURL", "checkURL", "url:"] { #expect(!ending.errors.contains(name)) }
  }

  @Test func `a folder, or a file that is no book, is reported as that`() throws {
    let scene = try Scene()
    let folder = try scene.run("accounts", "--book", scene.folder)
    #expect(folder.exit == 7, "\(folder.errors)")
    #expect(folder.errors.contains("is a directory"), "\(folder.errors)")
    let file = try scene.secretFile(String(repeating: "root:x:0:0:root:/root:/bin/sh\n", count: 99))
    for command in ["verify", "accounts", "restore"] {
      let ending = try scene.run(command, "--book", file)
      #expect(ending.exit == 5, "\(ending.errors)")
      #expect(ending.errors.contains("The file is not a book"), "\(ending.errors)")
      #expect(!ending.errors.contains("gatebook verify"), "\(ending.errors)")
    }
  }

  @Test(arguments: [[], ["--save-credentials"]])
  func `a request on a session that ended says so in whoami's words`(_ more: [String]) throws {
    let scene = try Scene()
    let server = try PlainServer.start()
    defer { server.stop() }
    let login = try scene.start(
      [
        "login", "form", "--url", server.url + "/dologin", "--check", server.url + "/shop/",
        "--user", PlainServer.user, "--password-stdin",
      ] + more, ChildProcess.Streams(input: PlainServer.password + "\n")
    ).end()
    try #require(login.exit == 0, "\(login.errors)")
    #expect(try scene.run("logout").exit == 0)
    let ending = try scene.run("request", server.url + "/shop/")
    #expect(ending.exit == 3)
    #expect(ending.errors.contains("ended (logged out)"), "\(ending.errors)")
    #expect(
      ending.errors.contains("`gatebook refresh --account ") == !more.isEmpty, "\(ending.errors)")
  }

  @Test(arguments: [
    ("ada", " ada"), ("ada@host", " ada@host"), ("ada lovelace", " 'ada lovelace'"),
    ("x $(touch F)", " 'x $(touch F)'"), ("it's", #" 'it'\''s'"#), ("-f", "=-f"),
    ("-f;g", "='-f;g'"),
  ])
  func `an advised command runs unchanged, whatever the label`(
    _ label: String, _ word: String
  ) throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "a")
    #expect(try scene.run("rename", "--account=a", "--", label).exit == 0)
    let ending = try scene.run("show", "--as-of", "1")
    #expect(ending.errors.contains("`gatebook log --account\(word)`"), "\(ending.errors)")
  }

  @Test func `why advises nothing in an archive, which never changes again`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    #expect(try scene.run("logout", "--account", "ada").exit == 0)
    let archive = "\(scene.folder)/past"
    #expect(try scene.run("archive", "-o", archive).exit == 0)
    for more in [[], ["--json"]] {
      let why = try scene.start(["why", "--book", archive] + more).end()
      #expect(why.exit == 0, "\(why.errors)")
      #expect(why.output.contains("on the book that continues it"), "\(why.output)")
      #expect(!why.output.contains("gatebook login"), "\(why.output)")
    }
  }

  @Test func `a first login that failed is followed by another one`() throws {
    let scene = try Scene()
    let login = try scene.run(
      "login", "http", "--url", "http://127.0.0.1:9/", "--user", "ada", "--password-stdin",
      input: "x\n")
    #expect(login.exit == 4, "\(login.errors)")
    let ending = try scene.run("why")
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output.contains("no connection could be made to the server"), "\(ending.output)")
    let last = try scene.kinds().count
    let failure = try scene.run("why", "\(last)")
    #expect(failure.output == ending.output)
    #expect(
      failure.output.contains(
        "Next: log in (`gatebook help login http` lists the options)."),
      "\(failure.output)")
    let other = try Scene()
    try other.logIn(.ada, label: "ada")
    #expect(try other.run("why").errors.isEmpty)
  }

  @Test func `a backup onto a file names the option that replaces it`() throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    let file = try scene.secretFile("mine")
    for more in [[], ["--json"]] {
      let ending = try scene.start(["backup", file] + more).end()
      #expect(ending.exit == 1)
      #expect(ending.errors.contains("`--force`"), "\(ending.errors)")
    }
  }

  @Test func `who was erased logs in as somebody new`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    #expect(try scene.start(["erase", "ada", "--yes"]).end().exit == 0)
    let erasure = try #require(try scene.kinds().lastIndex(of: "account.erased"))
    let ending = try scene.run("why", "\(erasure + 1)")
    #expect(
      ending.output.contains("log in to add the account again (`gatebook help"), "\(ending.output)")
  }

  @Test func `an account that trusts no key has none to take back`() throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    let ending = try scene.run("trust", "revoke")
    #expect(ending.exit == 1)
    #expect(ending.errors.contains("The account has accepted no key."), "\(ending.errors)")
  }

  @Test func `a time before the account's first event is wrong usage`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let ending = try scene.run("show", "--as-of", "yesterday")
    #expect(ending.exit == 2)
    #expect(ending.errors.contains("`gatebook log --account ada`"), "\(ending.errors)")
  }

  @Test func `a port that does not speak TLS is reported`() throws {
    let scene = try Scene()
    let ending = try scene.run(
      "login", "http", "--url", scene.portal.url.replacing("http:", with: "https:") + "/",
      "--user", "ada", "--password-stdin", input: "x\n")
    #expect(ending.errors.contains("does not speak TLS"), "\(ending.errors)")
    #expect(!ending.errors.contains("--ca-file"), "\(ending.errors)")
  }

  @Test func `a permission that is recorded says so once`() throws {
    let ending = try Scene().run(
      "login", "http", "--url", "http://files.example.test/", "--user", "ada", "--password-stdin",
      input: "x\n")
    #expect(ending.errors.components("recorded") == 1, "\(ending.errors)")
  }

  @Test func `a cancelled login is reported in the program's words`() throws {
    let scene = try Scene()
    let child = try scene.start(scene.pageLogin())
    _ = try child.page()
    child.signal(2)
    let ending = child.end()
    #expect(ending.exit == 130)
    #expect(ending.errors.contains("gatebook: Cancelled.\n"), "\(ending.errors)")
  }

  @Test func `an empty answer on a terminal is not advised to come as a line`() throws {
    let scene = try Scene()
    let terminal = try PseudoTerminal()
    let child = try scene.start(
      ["login", "http", "--url", scene.portal.url + "/", "--user", "ada"],
      ChildProcess.Streams(terminal: terminal.path))
    _ = terminal.read(until: "Password for ada at \(scene.portal.url): ")
    terminal.write("\n")
    let shown = terminal.read(until: "again.")
    terminal.drain()
    #expect(child.end().exit == 3)
    #expect(shown.contains("is empty"), "\(shown)")
    #expect(!shown.contains("Give one answer per line"), "\(shown)")
  }
}

extension String {
  /// How often a text occurs in this one.
  fileprivate func components(_ text: String) -> Int { ranges(of: text).count }
}
