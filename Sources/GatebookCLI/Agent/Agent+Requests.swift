internal import Gatebook
internal import GatebookProxy
internal import GatebookSystem

/// What comes to the agent's socket: its own requests are those to `localhost`; all others go to
/// the servers of the book's accounts.
extension Agent {
  /// Chooses the account of a forwarded request, and is not sent on.
  nonisolated static let accountField = "Gatebook-Account"

  private nonisolated static let ownOrigin = Origin(scheme: "http", host: "localhost", port: 80)

  /// How the socket is served.
  nonisolated static func settings(for agent: Agent, _ clock: any BookClock) -> ProxySettings {
    var settings = ProxySettings(
      ProxyRules(to: ownOrigin), clock: clock,
      sendingFor: {
        [weak agent] request, peer throws(GatebookError) in
        guard let agent else { throw .cancelledByAgent }
        return try await agent.answer(request, peer)
      })
    settings.route = { head throws(ProxyRefusal) in
      try ProxyRules(to: destination(of: head)).request(for: head)
    }
    settings.refused = { [weak agent] refusal, peer in
      guard refusal == .peer else { return }
      Task { await agent?.refuse(peer) }
    }
    return settings
  }

  /// The server that a request names; without a name it is the agent.
  ///
  /// Whether it is an account's is found out when the request is sent: the book says it then.
  nonisolated static func destination(of head: RequestHead) throws(ProxyRefusal) -> Origin {
    let hosts = head.fields.values(of: "Host")
    guard let host = hosts.first, hosts.count == 1 else { return ownOrigin }
    guard !host.contains(where: { "/?#@".contains($0) }),
      let plain = HTTPURL("http://\(host)/")?.origin,
      let secure = HTTPURL("https://\(host)/")?.origin
    else { throw .malformed }
    return plain == ownOrigin || plain.isLoopback ? plain : secure
  }

  private func answer(
    _ request: HTTPRequest, _ peer: AskingProgram?
  ) async throws(GatebookError) -> HTTPReply {
    let program = CallingProgram.of(peer)
    guard request.url.origin == Self.ownOrigin else {
      return try await use(by: program, isRequest: true) { open throws(GatebookError) in
        try await self.forward(request, of: program, try open.get().book)
      }
    }
    switch (request.method, request.url.path) {
    case ("GET", "/v1/status"): return try await working(request) { await self.status }
    case ("POST", "/v1/call"): return try await take(request, program)
    case ("POST", "/v1/lock"):
      return try await working(request) {
        ["locked": .bool(true), "changed": .bool(await self.lock())]
      }
    case ("POST", "/v1/unlock"):
      let body = try await Self.body(of: request)
      let passphrase = JSONDocument.read(body)?.object?["passphrase"]?.text.map { Secret($0) }
      return try await working(request) {
        do throws(GatebookError) {
          return ["locked": .bool(false), "changed": .bool(try await self.unlock(passphrase))]
        } catch {
          return ErrorReport.of(error).json
        }
      }
    case (_, "/v1/status"), (_, "/v1/call"), (_, "/v1/lock"), (_, "/v1/unlock"):
      return Self.reply(405, Self.unknown)
    default: return Self.reply(404, Self.unknown)
    }
  }

  // MARK: Calls

  /// Runs a call that another process hands over.
  private func take(
    _ request: HTTPRequest, _ program: CallingProgram?
  ) async throws(GatebookError) -> HTTPReply {
    guard request.fields.first(AgentProtocol.versionField) == AgentProtocol.version else {
      return Self.reply(409, Self.unknown)
    }
    guard let given = AgentCall(try await Self.body(of: request)) else {
      return Self.reply(400, Self.unknown)
    }
    guard given.book == AgentCall.file(of: call.globals.book) else {
      return Self.reply(409, Self.unknown)
    }
    switch state {
    case .locked(nil):
      // The lock is a person's wish: it holds for a call that the agent would not run as well.
      return try await working(request) {
        self.uses.count(program, isRequest: false)
        self.uses.refuse()
        return await self.run(given, with: .failure(Self.locked(nil))).json
      }
    case .locked: return Self.reply(409, Self.unknown)
    case .open: guard serves(given) else { return Self.reply(409, Self.unknown) }
    }
    return try await working(request) {
      let answer = try? await self.use(by: program, isRequest: false) {
        open throws(GatebookError) in
        // Nobody wished that: the process does its work itself.
        if case .failure(let error) = open, case .locked(_?) = self.state { throw error }
        return await self.run(given, with: open)
      }
      return answer?.json ?? [:]
    }
  }

  /// Whether a call would do the same in its own process.
  private func serves(_ given: AgentCall) -> Bool {
    !given.isOwn
      && [KeyChoice.automatic.text, call.globals.key.text].contains(given.key)
      && given.shared == AgentCall.shared(call.surroundings.environment)
  }

  private func run(
    _ given: AgentCall, with open: Result<LentBook.Open, GatebookError>
  ) async -> AgentAnswer {
    var surroundings = call.surroundings
    for name in AgentCall.taken { surroundings.environment[name] = nil }
    surroundings.environment.merge(given.environment) { $1 }
    surroundings.isOutputTerminal = false
    surroundings.isErrorTerminal = given.columns != nil
    surroundings.errorColumns = given.columns
    let (results, messages) = (AgentSink(), AgentSink())
    let exit = await Invocation(
      line: given.line, table: Self.commands, surroundings: surroundings, results: results,
      messages: messages,
      lent: LentBook(
        path: call.globals.book, key: call.globals.key, open: open, input: given.input)
    ).run()
    return AgentAnswer(exit: exit, output: results.bytes, errors: messages.bytes)
  }

  /// What the agent does for others.
  private static let commands = CommandTable.commands.filter {
    $0.help.name == TokenCommand.help.name || $0.help.words.first == "credential"
  }

  // MARK: Answers

  private static let unknown: JSON = [
    "error": [
      "code": .text("configuration.invalid"),
      "message": .text("The agent itself answers `gatebook` alone."),
      "remedy": .text("Name the server of an account, such as http://api.example/."),
    ]
  ]

  nonisolated static func reply(_ status: Int, _ json: JSON) -> HTTPReply {
    HTTPReply(
      status: status, fields: [.json, HTTPField("Cache-Control", "no-store")],
      body: json.encoded + [0x0A])
  }

  /// Answers with what some work brings, and says twice each second that it continues.
  private func working(
    _ request: HTTPRequest, _ work: @MainActor () async -> JSON
  ) async throws(GatebookError) -> HTTPReply {
    guard let sink = request.sink else { return Self.reply(200, await work()) }
    var head = Self.reply(200, [:])
    head.body = []
    head.isStreamed = true
    try sink.start(head)
    let isOver = Locked(false)
    let beat = Task { [clock] in
      while !Task.isCancelled {
        await clock.sleep(for: .milliseconds(500))
        isOver.withLock { if !$0 { try? Self.write([:], to: sink) } }
      }
    }
    let result = await work()
    beat.cancel()
    isOver.withLock { $0 = true }
    try Self.write(result, to: sink)
    return head
  }

  private nonisolated static func write(_ json: JSON, to sink: BodySink) throws(GatebookError) {
    try (json.encoded + [0x0A]).withUnsafeBufferPointer { bytes throws(GatebookError) in
      try sink.take(UnsafeRawBufferPointer(bytes))
    }
  }

  /// The body of a request, as soon as it is there.
  private nonisolated static func body(
    of request: HTTPRequest
  ) async throws(GatebookError) -> [UInt8] {
    guard let source = request.source else { return request.body }
    let (rings, ring) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    source.bell.hear { ring.yield() }
    var waiting = rings.makeAsyncIterator()
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while bytes.count <= AgentCall.limit {
      let count = try buffer.withUnsafeMutableBufferPointer { buffer throws(GatebookError) in
        try source.next(UnsafeMutableRawBufferPointer(buffer))
      }
      if count == 0 { return bytes }
      if let count {
        bytes += buffer[..<count]
      } else {
        guard await waiting.next() != nil else { throw .cancelledByAgent }
      }
    }
    throw GatebookError(
      .limitExceeded, "The request has more than \(AgentCall.limit >> 20) MiB.",
      kept: "Nothing was changed.", remedy: "Send less.")
  }
}

extension GatebookError {
  fileprivate static let cancelledByAgent = GatebookError(
    .cancelled, "The agent ends, or the program that asked has gone.", kept: sessionKept,
    remedy: "Try again.")
}
