internal import Gatebook
internal import GatebookFakes
internal import GatebookSystem
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// Agents that die, stop or are asked strange things: nothing hangs, nothing is lost.
struct AgentFaultTests {
  private let stage: AgentScene

  init() throws { stage = try AgentScene() }

  private var scene: Scene { stage.scene }

  @Test func `a process does the work of an agent that is stopped`() throws {
    try scene.logInForTokens()
    try stage.start().freeze()
    let start = ContinuousClock.now
    #expect(try stage.run("token").output == (try scene.liveToken()))
    #expect(ContinuousClock.now - start < .seconds(10))
    stage.agent?.signal(SIGCONT)
    #expect(try stage.run("token").exit == 0)
    #expect(try stage.answers() == 1)
  }

  @Test func `an agent that is stopped in the middle of a call loses it`() throws {
    try scene.logInForTokens()
    let door = Door()
    defer { door.open() }
    let agent = try stage.start()
    // What still lives is handed out whatever becomes of the renewal.
    scene.portal.inject(door.fault, on: .token)
    let sent = scene.refreshCount
    let token = try scene.start(["token", "--min-lifetime", "600"], environment: stage.using)
    try scene.wait(forRefreshes: sent + 1)
    try agent.freeze()
    // It holds the account's lock: without it the process would wait too, and no longer.
    let ending = token.end()
    #expect(ending.exit == 6, "\(ending.errors)")
    agent.signal(SIGCONT)
    door.open()
    try wait(for: "the renewal") { try scene.kinds().contains("refresh.succeeded") }
    #expect(try stage.run("token").output == (try scene.liveToken()))
  }

  @Test func `a token that is not saved yet is handed out in place of the former one`() throws {
    scene.portal.switches.endsAccessTokenOnRefresh = true
    try scene.logInForTokens()
    try stage.start(["--wait", "0"])
    let door = Door()
    defer { door.open() }
    scene.portal.inject(door.fault, on: .token)
    let sent = scene.refreshCount
    let first = try scene.start(["token", "--min-lifetime", "600"], environment: stage.using)
    try scene.wait(forRefreshes: sent + 1)
    let writer = try HeldByte(1, of: scene.book)
    door.open()
    // No token lives that long, so this one fails after the renewal.
    #expect(first.end().exit != 0)
    let live = try scene.liveToken()
    #expect(try stage.run("token").output == live)
    let host = scene.portal.url.dropFirst("http://".count)
    let question = "protocol=http\nhost=\(host)\n\n"
    let credential = try stage.run("credential", "git", "get", input: question)
    #expect(credential.output.contains("password=\(live)"), "\(credential.errors)")
    #expect(try stage.answers() == 3)
    writer.release()
    try wait(for: "the renewal") { try scene.kinds().contains("refresh.succeeded") }
    #expect(try stage.run("token").output == live)
    #expect(scene.refreshCount == sent + 1)
  }

  @Test(arguments: 0..<4)
  func `an agent that is killed in a renewal logs nobody out`(_ round: Int) throws {
    // What the server has replaced, and the killed process was not told, works for a while.
    scene.portal.switches.refreshTokenGrace = .seconds(60)
    try scene.logInForTokens()
    try stage.start()
    try scene.expire()
    let sent = scene.refreshCount
    let processes = try (0..<8).map { _ in try scene.start(["token"], environment: stage.using) }
    if round % 2 == 0 { try scene.wait(forRefreshes: sent + 1) }
    _ = poll(nil, 0, Int32.random(in: 0...30))
    #expect(try stage.end(SIGKILL).exit == -SIGKILL)
    for process in processes {
      let ending = process.end()
      #expect(ending.exit == 0, "\(ending.errors)")
      #expect(!ending.output.isEmpty)
    }
    #expect(try scene.run("whoami", "--json").output.contains(#""state":"active""#))
    #expect(try scene.run("verify").exit == 0)
  }

  /// Sends bytes to the agent's socket, and reads what comes until it ends.
  private func send(_ text: String) throws -> String {
    let socket = try #require(LocalSocket.connected(to: stage.path))
    defer { FileDescriptor.close(socket) }
    Sockets.limitWait(socket, seconds: 10)
    _ = FileDescriptor.write(text.utf8, to: socket)
    Sockets.endSending(socket)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = Sockets.receive(socket, &buffer, waits: true), count > 0 {
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func post(
    _ path: String, _ body: String, version: String = CommandTable.version
  ) -> String {
    "POST \(path) HTTP/1.1\r\nHost: localhost\r\nGatebook-Version: \(version)\r\n"
      + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
  }

  @Test func `hostile bytes at the socket get an answer, and change nothing`() throws {
    try scene.logInForTokens()
    try stage.start()
    let book = try #require(AgentCall.file(of: scene.book))
    let requests = [
      post("/v1/call", "{"), post("/v1/call", "[]"), post("/v1/call", "{}"),
      post("/v1/call", "\u{0}"),
      post("/v1/call", #"{"line":[1],"book":"\#(book)","key":"automatic"}"#),
      post("/v1/call", #"{"line":["token"],"book":"1:1","key":"automatic"}"#),
      post("/v1/call", #"{"line":["token"],"book":"\#(book)","key":"automatic","input":"?"}"#),
      post("/v1/call", String(repeating: "[", count: 100_000)),
      post("/v1/call", String(repeating: "a", count: 2 << 20)),
      post("/v1/call", "{}", version: "0.0.9"), post("/v1/../v1/status", ""),
      post("/v1/%2e%2e/call", ""), post("/v2/call", "{}"), post("/v1/unlock", "\u{0}{"),
      "GET /v1/lock HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
      "GET /v1/status HTTP/1.1\r\nHost: localhost\r\nHost: b\r\n\r\n",
      "GET /v1/status HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
      "GET http://evil.example/v1/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
      "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n", "\u{0}\u{0}\r\n\r\n",
    ]
    for request in requests {
      let answer = try send(request)
      #expect(answer.hasPrefix("HTTP/1.1 "), "\(request.prefix(80)): \(answer.prefix(200))")
      #expect(!answer.contains("\"output\""))
    }
    #expect(try stage.status()["locked"]?.bool == false)
    #expect(try stage.answers() == 1, "the request to a server that is nobody's")
    #expect(try stage.run("token").exit == 0)
  }

  @Test func `a line of another command does nothing`() throws {
    try scene.logInForTokens()
    try stage.start()
    let book = try #require(AgentCall.file(of: scene.book))
    for command in [["logout", "--all"], ["erase", "--yes"], ["agent", "lock"], ["log"], []] {
      var call = AgentCall(line: command, book: book)
      call.shared = AgentCall.shared(scene.environment)
      let answer = try send(post("/v1/call", String(decoding: call.encoded, as: UTF8.self)))
      #expect(answer.contains("HTTP/1.1 200 "), "\(answer)")
    }
    #expect(try scene.run("whoami", "--json").output.contains(#""state":"active""#))
    #expect(try stage.status()["locked"]?.bool == false)
  }

  @Test func `a process does the work of an agent of another version`() throws {
    try scene.logInForTokens()
    let folder = "\(scene.folder)/other"
    try #require(mkdir(folder, 0o700) == 0)
    let other = try OtherAgent(at: "\(folder)/s", answering: "HTTP/1.1 409 Conflict\r\n\r\n")
    let ending = try scene.run("token", environment: ["GATEBOOK_AGENT": other.path])
    #expect(ending.output == (try scene.liveToken()), "\(ending.errors)")
    #expect(other.heard.contains("Gatebook-Version: \(CommandTable.version)\r\n"))
    #expect(!other.heard.contains("token"), "the call was sent before it was taken")
  }

  @Test(arguments: [
    "", "\u{0}", "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nzz\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n3\r\n{}\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n9\r\n{\"a\":\"b\"}\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n4\r\n[1]\n\r\n",
  ])
  func `a process does the work of whatever else answers there`(_ answer: String) throws {
    try scene.logInForTokens()
    let folder = "\(scene.folder)/other"
    try #require(mkdir(folder, 0o700) == 0)
    let other = try OtherAgent(at: "\(folder)/s", answering: answer)
    let ending = try scene.run("token", environment: ["GATEBOOK_AGENT": other.path])
    #expect(ending.output == (try scene.liveToken()), "\(ending.errors)")
  }

  @Test func `another user at the socket is nobody, whatever its modes are`() throws {
    // Only the administrator can act for another user.
    guard geteuid() == 0 else { return }
    try scene.logInForTokens()
    try stage.start()
    let nobody = { () throws -> String in
      try Daemon(
        [
          "setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "curl", "-s",
          "--max-time", "20", "--unix-socket", stage.path, "http://localhost/v1/status",
        ], ["PATH": "/usr/bin:/bin"]
      ).end().output
    }
    #expect(try nobody().isEmpty)
    for folder in [scene.folder, "\(scene.folder)/run"] { try #require(chmod(folder, 0o711) == 0) }
    try #require(chmod(stage.path, 0o666) == 0)
    #expect(try nobody().isEmpty)
    #expect(try stage.status()["refused"]?.integer == 1)
    try wait(for: "the event") {
      try scene.run("log", "--json", "--kind", "agent.refused").output.contains(#""peer""#)
    }
    #expect(try stage.run("token").exit == 0)
  }

  @Test func `an archived book is the same one, and another book at its place is opened`() throws {
    try scene.logInForTokens()
    try stage.start()
    #expect(try stage.run("token").exit == 0)
    #expect(try scene.run("archive", "-o", "\(scene.folder)/archive").exit == 0)
    #expect(try stage.run("token").output == (try scene.liveToken()))
    for suffix in ["", "-wal", "-shm", "-lock", "-reserve"] { Files.remove(scene.book + suffix) }
    try scene.logInForTokens()
    #expect(try stage.run("token").output == (try scene.liveToken()))
    #expect(try stage.answers() == 3)
    #expect(try scene.run("verify").exit == 0)
  }
}
