internal import Foundation
internal import GatebookTestSupport
internal import Testing

/// Many programs ask for an expired session at once, at a server that ends a whole family of tokens
/// when one that was spent comes again.
@Suite(.enabled(if: TestServers.areRunning, TestServers.reason))
struct RenewalRaceTests {
  private let gatebook: GatebookTool
  private let runtime: String
  private let socket: String
  private let agentSocket: String

  init() throws {
    gatebook = try GatebookTool()
    try gatebook.installForPrograms()
    runtime = gatebook.home + "/run"
    socket = gatebook.home + "/proxy/socket"
    agentSocket = gatebook.home + "/agent/socket"
    try FileManager.default.createDirectory(
      atPath: runtime, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  @Test(arguments: [false, true])
  func `128 programs of all kinds share one renewal, and nobody is logged out`(
    _ hasAgent: Bool
  ) throws {
    let server = try OAuth2Server.own()
    try gatebook.logIn(.alice, at: server)
    try expire(server)
    let refreshes = try server.refreshes(answered: false).count
    let before = try gatebook.kinds().count
    let proxy = try gatebook.startProxy(socket)
    let kinds = AskingProgram.each(at: server, proxy: socket, runtime: runtime)
    try #require(kinds.count >= 8)
    #expect(try server.refreshes(answered: false).count == refreshes, "the proxy was first")
    // It may begin the renewal before anybody asks.
    let agent = hasAgent ? try gatebook.startAgent(agentSocket) : nil
    let asking = try (0..<128).map { number in
      let program = kinds[number % kinds.count]
      return (program, try gatebook.start(program, agent: hasAgent ? agentSocket : ""))
    }
    let endings = try asking.map { ($0, try $1.end()) }
    let token = try gatebook.token()
    for (program, ending) in endings {
      #expect(ending.status == 0, "\(program.name): \(ending.errors)")
      #expect(
        program.isRight(ending.output, token: token),
        "\(program.name): nothing of this session: \(ending.errors)")
    }
    #expect(try server.refreshes(answered: true).dropFirst(refreshes).map(\.status) == [200])
    let events = try gatebook.kinds(after: before)
    #expect(events.count { $0 == "refresh.started" } == 1)
    #expect(events.count { $0 == "refresh.succeeded" } == 1)
    #expect(Set(events).isSubset(of: Self.harmless), "\(Set(events))")
    try expectLoggedIn(at: server)
    for server in [agent, proxy] {
      server?.interrupt()
      #expect(try server?.end().status ?? 0 == 0)
    }
  }

  /// What a race may leave in the log.
  private static let harmless: Set = [
    "agent.started", "proxy.started", "refresh.started", "refresh.succeeded", "session.verified",
  ]

  /// What keeps a session when the answer to a refresh is lost with the process that waited for
  /// it: without either of them only a login helps.
  enum Rescue: String, CaseIterable {
    /// The server takes a refresh token that was replaced for a while.
    case grace
    /// Gatebook may log in again with what it saved.
    case savedCredentials
  }

  @Test(arguments: Rescue.allCases)
  func `a process is killed at a random moment in each of 10 rounds, and nobody is logged out`(
    _ rescue: Rescue
  ) throws {
    let server = try serverWithAlice(rescue)
    let kinds = AskingProgram.each(at: server, proxy: socket, runtime: runtime)
    let seed = UInt64.random(in: 0...UInt64.max)
    print("killed at random moments with the seed \(seed)")
    var random = SplitMix(seed: seed)
    for round in 1...10 {
      try expire(server)
      let told = "round \(round) of the seed \(seed)"
      let sent = try server.refreshes(answered: false).count
      let proxy = try gatebook.startProxy(socket)
      let killsProxy = Int.random(in: 0..<4, using: &random) == 0
      let programs = kinds.shuffled(using: &random)
        .sorted { killsProxy && $0.isAtProxy && !$1.isAtProxy }.prefix(8)
      // The answer to the first one is held up, or each moment of its run can be the last.
      let isHeld = Bool.random(using: &random)
      let answered = try server.refreshes(answered: true).count
      if isHeld { try server.hold(.after) }
      var asking = [try gatebook.start(programs[0])]
      if isHeld { try server.wait(forRefreshes: answered + 1, answered: true) }
      asking += try programs.dropFirst().map { try gatebook.start($0) }
      let killed = killsProxy ? proxy : asking[0]
      try killed.kill(afterMilliseconds: Int.random(in: 0...400, using: &random))
      if isHeld { try server.release() }
      let endings = try zip(programs, asking).filter { $0.1 !== killed }
        .map { ($0.0, try $0.1.end()) }
      let token = try gatebook.token()
      for (program, ending) in endings where !(killsProxy && program.isAtProxy) {
        #expect(ending.status == 0, "\(told), \(program.name): \(ending.errors)")
        #expect(
          program.isRight(ending.output, token: token),
          "\(told), \(program.name): \(ending.errors)")
      }
      if !killsProxy {
        proxy.interrupt()
        #expect(try proxy.end().status == 0, "\(told)")
      }
      // One more where the first one's answer was lost; never a third.
      #expect(try server.refreshes(answered: false).count <= sent + 2, "\(told)")
      try expectLoggedIn(at: server, "\(told)")
    }
    #expect(try gatebook.object(["verify"])["ok"]?.bool == true)
  }

  @Test(arguments: Rescue.allCases)
  func `the agent is killed at a random moment in each of 10 rounds, and nobody is logged out`(
    _ rescue: Rescue
  ) throws {
    let server = try serverWithAlice(rescue)
    let kinds = AskingProgram.each(at: server, proxy: socket, runtime: runtime)
      .filter { !$0.isAtProxy }
    let seed = UInt64.random(in: 0...UInt64.max)
    print("killed at random moments with the seed \(seed)")
    var random = SplitMix(seed: seed)
    for round in 1...10 {
      try expire(server)
      let told = "round \(round) of the seed \(seed)"
      let sent = try server.refreshes(answered: false).count
      let isHeld = Bool.random(using: &random)
      if isHeld { try server.hold(.after) }
      let agent = try gatebook.startAgent(agentSocket)
      let programs = kinds.shuffled(using: &random).prefix(8)
      let asking = try programs.map { try gatebook.start($0, agent: agentSocket) }
      try agent.kill(afterMilliseconds: Int.random(in: 0...400, using: &random))
      if isHeld { try server.release() }
      let endings = try zip(programs, asking).map { ($0, try $1.end()) }
      let token = try gatebook.token()
      for (program, ending) in endings {
        #expect(ending.status == 0, "\(told), \(program.name): \(ending.errors)")
        #expect(
          program.isRight(ending.output, token: token),
          "\(told), \(program.name): \(ending.errors)")
      }
      // One more where the agent's answer was lost; never a third.
      #expect(try server.refreshes(answered: false).count <= sent + 2, "\(told)")
      try expectLoggedIn(at: server, "\(told)")
    }
    #expect(try gatebook.object(["verify"])["ok"]?.bool == true)
  }

  /// A server that Alice has logged in to.
  private func serverWithAlice(_ rescue: Rescue) throws -> OAuth2Server {
    let server = try OAuth2Server.own(rescue == .grace ? ["GRACE": "600"] : [:])
    try gatebook.logIn(
      .alice, at: server, by: "oidc", .password,
      rescue == .savedCredentials ? ["--save-credentials"] : [])
    return server
  }

  /// Gives Alice a token that is over when this returns; those that come next are valid for ten
  /// minutes.
  private func expire(_ server: OAuth2Server) throws {
    try server.setAccessLifetime(1)
    _ = try gatebook.object(["refresh"])
    try server.setAccessLifetime(600)
    try gatebook.waitForEndOfAccess(of: .alice, at: server)
  }

  private func expectLoggedIn(at server: OAuth2Server, _ told: Comment? = nil) throws {
    #expect(try gatebook.object(["whoami"])["state"]?.text == "active", told)
    #expect(try server.liveTokens(of: .alice) == (access: 1, refresh: 1), told)
    #expect(try gatebook.user(at: server) == "alice", told)
  }
}
