internal import Gatebook
internal import GatebookFakes
internal import GatebookSystem
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// What the book tells of those who used a session through a proxy.
struct ProxyAuditTests {
  private let stage: ProxyScene

  init() throws { stage = try ProxyScene() }

  private var scene: Scene { stage.scene }

  @Test func `the book tells which programs used the session, and how often`() throws {
    let server = try stage.logInAtFolder()
    defer { server.stop() }
    let child = try stage.start(["--read-only"])
    let (port, url, capability) = try stage.startAtPort()
    for _ in 0..<3 { #expect(try stage.get("/private/notes") == "The notes of ada.\n") }
    _ = try stage.get("/private/notes", "-d", "a")
    let python = try Daemon(
      [
        "/usr/bin/python3", "-c",
        "import sys, urllib.request as u; print(u.build_opener(u.ProxyHandler({})).open("
          + "u.Request(sys.argv[1], headers={'Authorization': 'Bearer ' + sys.stdin.readline().strip()})"
          + ").read().decode(), end='')", "\(url)/private/notes",
      ], ["PATH": "/usr/bin:/bin"], input: capability + "\n")
    #expect(python.end().output == "The notes of ada.\n")
    #expect(stage.end(child).exit == 0)
    #expect(stage.end(port).exit == 0)
    let ended = try stage.events("proxy.ended")
    try #require(ended.count == 2)
    #expect(ended[0].contains(#""forwarded":3"#) && ended[0].contains(#""refused":1"#))
    #expect(ended[0].contains(#""programs":{"curl":{"forwarded":3,"refused":1}}"#), "\(ended[0])")
    #expect(ended[1].contains(#""programs":{"python3":{"forwarded":1,"process":"#), "\(ended[1])")
    let starts = try stage.events("proxy.started")
    for (start, end) in zip(starts, ended) {
      let position = try #require(start.firstMatch(of: /"position":(\d+)/)?.1)
      #expect(end.contains("\"cause\":\(position),"), "\(end)")
    }
    let counts = try scene.run("stats", "--by", "program", "--json").output
    #expect(counts.contains(#"{"program":"curl","forwarded":3,"refused":1,"#), "\(counts)")
    #expect(counts.contains(#"{"program":"python3","forwarded":1,"refused":0,"#))
    let table = try scene.run("stats", "--by", "program").output
    #expect(table.contains("curl") && table.contains("python3"), "\(table)")
    let why = try scene.run("why").output
    #expect(why.contains("it sent 3 requests to the server: curl 3. It refused 1 request: curl 1."))
    #expect(why.contains("python3 (process "), "\(why)")
    let findings = try scene.run("findings", "--json").output
    #expect(findings.contains(#""rule":"proxy.misuse","severity":"note""#), "\(findings)")
    #expect(findings.contains("was not started for: curl."))
    #expect(try scene.run("verify").exit == 0)
    #expect(try scene.run("rebuild", "--check").exit == 0)
  }

  @Test func `a program without the capability is named, and is a finding`() throws {
    let server = try stage.logInAtFolder()
    defer { server.stop() }
    let (child, url, _) = try stage.startAtPort()
    let count = server.requests.count
    #expect(try stage.curl(["\(url)/private/notes"]).contains("proxy.capability"))
    #expect(server.requests.count == count)
    #expect(stage.end(child).exit == 0)
    let refused = try stage.events("proxy.refused")
    try #require(refused.count == 1)
    #expect(refused[0].contains(#""program":"curl""#) && refused[0].contains(#""process":"#))
    let findings = try scene.run("findings", "--json").output
    #expect(findings.contains(#""rule":"proxy.misuse","severity":"warning""#), "\(findings)")
    #expect(findings.contains("without the capability"))
  }

  @Test(.enabled(if: ProxyScene.asOther != nil, "only root can act for another user"))
  func `another user reaches nothing at the socket, nor at the port without the capability`()
    throws
  {
    let other = try #require(ProxyScene.asOther)
    let server = try stage.logInAtFolder()
    defer { server.stop() }
    let child = try stage.start()
    let (port, url, capability) = try stage.startAtPort()
    let count = server.requests.count
    let line = ["--unix-socket", stage.path, "http://localhost/private/notes"]
    // 7: curl could not connect.
    #expect(
      try stage.curl(line + ["-o", "/dev/null", "-w", "%{exitcode}"], as: other) == "7")
    // Even where the rights let it in, the kernel tells whose program it is.
    chmod(scene.folder, 0o755)
    chmod("\(scene.folder)/run", 0o755)
    chmod(stage.path, 0o666)
    #expect(try stage.curl(line, as: other).isEmpty)
    #expect(try stage.curl(["\(url)/private/notes"], as: other).contains("proxy.capability"))
    #expect(
      try stage.curl(["-u", "any:\(capability)x", "\(url)/private/notes"], as: other)
        .contains("proxy.capability"))
    #expect(server.requests.count == count)
    #expect(try stage.get("/private/notes") == "The notes of ada.\n")
    #expect(stage.end(child).exit == 0)
    #expect(stage.end(port).exit == 0)
    let refused = try stage.events("proxy.refused")
    #expect(refused.count == 2, "\(refused)")
    #expect(refused.allSatisfy { $0.contains(#""foreign":true"#) })
    #expect(refused.contains { $0.contains(#""reason":"peer""#) && $0.contains("curl") })
    #expect(try scene.run("findings").output.contains("Another user's program"))
  }

  @Test func `several proxies at once keep each its own limits`() throws {
    let server = try stage.logInAtFolder()
    defer { server.stop() }
    let child = try stage.start(["--read-only"])
    let (slow, slowURL, slowKey) = try stage.startAtPort(["--rate", "1"])
    let (narrow, narrowURL, narrowKey) = try stage.startAtPort(["--path", "/private/large"])
    func status(_ line: String...) throws -> String {
      try stage.curl(line + ["-o", "/dev/null", "-w", "%{http_code} "])
    }
    let notes = "/private/notes"
    let five = try (0..<5).map { _ in
      try status("-u", "a:\(slowKey)", slowURL + notes)
    }
    #expect(five.first == "200 " && five.contains("429 "), "\(five)")
    #expect(try status("-u", "a:\(narrowKey)", narrowURL + notes) == "403 ")
    #expect(try status("-u", "a:\(narrowKey)", "-I", narrowURL + "/private/large") == "200 ")
    #expect(
      try status("-u", "a:\(narrowKey)", slowURL + notes) == "401 ", "each has its own capability")
    #expect(try stage.get(notes, "-d", "a").contains("proxy.readOnly"))
    #expect(try stage.get(notes) == "The notes of ada.\n")
    for child in [child, slow, narrow] { #expect(stage.end(child).exit == 0) }
    let reasons = try stage.events("proxy.refused").compactMap {
      $0.firstMatch(of: /"reason":"(\w+)"/).map { String($0.1) }
    }
    #expect(reasons.sorted() == ["capability", "path", "rate", "readOnly"])
  }

  @Test func `a proxy serves on when the session has ended, and its end is recorded`() throws {
    let server = try stage.logInAtFolder()
    defer { server.stop() }
    let child = try stage.start()
    #expect(try stage.get("/private/notes") == "The notes of ada.\n")
    #expect(try scene.run("logout").exit == 0)
    let count = server.requests.count
    #expect(try stage.get("/private/notes").contains(#""code":"session.refused""#))
    #expect(server.requests.count == count, "nothing is sent without a session")
    // A new login serves the same proxy.
    let again = try scene.run(
      "login", "http", "--url", server.url + "/private/", "--user", PlainServer.user,
      "--password-stdin", input: PlainServer.password + "\n")
    #expect(again.exit == 0, "\(again.errors)")
    #expect(try stage.get("/private/notes") == "The notes of ada.\n")
    #expect(try scene.run("logout").exit == 0)
    let ending = stage.end(child)
    #expect(ending.exit == 0 && !ending.errors.contains("cannot record"), "\(ending.errors)")
    let ended = try stage.events("proxy.ended")
    try #require(ended.count == 1)
    #expect(ended[0].contains(#""curl":{"forwarded":3}"#), "\(ended[0])")
    #expect(try scene.run("verify").exit == 0)
  }

  @Test func `a book that is archived or busy meanwhile costs no request, and loses no count`()
    throws
  {
    let server = try stage.logInAtFolder()
    defer { server.stop() }
    let child = try stage.start(["--wait", "1"])
    #expect(try stage.get("/private/notes") == "The notes of ada.\n")
    #expect(try scene.run("archive", "-o", "\(scene.folder)/past.gatebook").exit == 0)
    #expect(try stage.get("/private/notes") == "The notes of ada.\n")
    let writer = try HeldByte(1, of: scene.book)
    #expect(try stage.get("/private/notes") == "The notes of ada.\n")
    writer.release()
    let ending = stage.end(child)
    #expect(ending.exit == 0 && !ending.errors.contains("cannot record"), "\(ending.errors)")
    #expect(try stage.events("proxy.ended").first?.contains(#""forwarded":3"#) == true)
    #expect(try scene.run("verify").exit == 0)
    let busy = try stage.start(["--wait", "1"])
    let holder = try HeldByte(1, of: scene.book)
    let told = stage.end(busy)
    holder.release()
    #expect(told.exit == 0)
    #expect(told.errors.contains("The book cannot record the end of this proxy"), "\(told.errors)")
  }
}
