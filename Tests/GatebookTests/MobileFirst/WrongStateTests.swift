import Gatebook
import GatebookCurl
import GatebookFakes
import GatebookTestSupport
import Testing

/// Every call in every state of a flow: what it brings, what the log then says, and no hang.
@Suite(.timeLimit(.minutes(10))) struct WrongStateTests {
  enum Phase: String, CaseIterable {
    /// Nothing has happened yet.
    case none
    /// A login is on its way to the server.
    case loggingIn
    /// A token is being obtained; the server has not answered yet.
    case obtaining
    /// One check waits for an answer.
    case challenged
    /// Two checks of one 401 wait for answers.
    case challengedTwice
    /// A login has succeeded.
    case ended
    case loggedOut
  }

  enum Call: String, CaseIterable { case submit, cancel, login, logout }

  /// What a call brings, how the flow that was there before ends, and what was recorded from the
  /// call on.
  struct Row: CustomTestStringConvertible, Sendable {
    let phase: Phase
    let call: Call
    let result: String
    let flow: String
    let events: [String]

    init(_ phase: Phase, _ call: Call, _ result: String, _ flow: String, _ events: [String]) {
      self.phase = phase
      self.call = call
      self.result = result
      self.flow = flow
      self.events = events
    }

    var testDescription: String { "\(phase.rawValue), \(call.rawValue)" }
  }

  private static let login = [
    "account.added", "login.succeeded", "attributes.changed", "check.succeeded", "account.switched",
  ]
  private static let answered = ["challenge.answered"] + login + ["token.granted"]
  private static let obtained = ["challenge.received"] + answered
  private static let answeredTwice =
    ["challenge.answered", "challenge.answered"]
    + login.flatMap { kind in
      kind == "check.succeeded" ? [kind, kind] : [kind]
    } + ["token.granted"]
  private static let logout = ["logout.requested", "logout.completed", "attributes.changed"]

  static let rows: [Row] = [
    Row(.none, .submit, "precondition.failed", "-", []),
    Row(.none, .cancel, "false", "-", []),
    Row(.none, .login, "john", "-", ["login.started", "registration.created"] + login),
    Row(.none, .logout, "nothingToEnd", "-", ["logout.completed"]),

    Row(.loggingIn, .submit, "precondition.failed", "john", login),
    Row(.loggingIn, .cancel, "false", "john", login),
    Row(.loggingIn, .login, "login.inProgress", "john", login),
    Row(.loggingIn, .logout, "done", "john", login + logout),

    Row(.obtaining, .submit, "precondition.failed", "token", obtained),
    Row(.obtaining, .cancel, "false", "token", obtained),
    Row(.obtaining, .login, "login.inProgress", "token", obtained),
    Row(.obtaining, .logout, "done", "token", obtained + logout),

    Row(.challenged, .submit, "done", "token", answered),
    Row(
      .challenged, .cancel, "true", "challenge.cancelled",
      ["challenge.cancelled", "login.cancelled"]),
    Row(.challenged, .login, "login.inProgress", "token", answered),
    Row(.challenged, .logout, "done", "token", answered + logout),

    Row(.challengedTwice, .submit, "done", "token", answeredTwice),
    Row(
      .challengedTwice, .cancel, "true", "challenge.cancelled",
      ["challenge.cancelled", "challenge.cancelled", "login.cancelled"]),
    Row(.challengedTwice, .login, "login.inProgress", "token", answeredTwice),
    Row(.challengedTwice, .logout, "done", "token", answeredTwice + logout),

    Row(.ended, .submit, "precondition.failed", "-", []),
    Row(.ended, .cancel, "false", "-", []),
    Row(.ended, .login, "john", "-", ["session.verified", "check.succeeded"]),
    Row(.ended, .logout, "done", "-", logout),

    Row(.loggedOut, .submit, "precondition.failed", "-", []),
    Row(.loggedOut, .cancel, "false", "-", []),
    Row(
      .loggedOut, .login, "john", "-",
      ["login.started", "login.succeeded", "attributes.changed", "check.succeeded"]),
    Row(.loggedOut, .logout, "done", "-", ["logout.completed"]),
  ]

  @Test func `the table has every call in every state`() {
    #expect(Self.rows.count == Phase.allCases.count * Call.allCases.count)
    #expect(Set(Self.rows.map(\.testDescription)).count == Self.rows.count)
  }

  @Test(arguments: rows)
  func `each call in each state ends as the table says`(row: Row) async throws {
    let world = try await MobileFirstWorld()
    let gate = Gate(isOpen: true)
    let curl = world.transport
    let book = try await world.world.open(
      ScriptedTransport { request, route throws(TransportFailure) in
        if request.url.path.hasSuffix("preauthorize") { await gate.pass() }
        return try await curl.send(request, through: route)
      })
    let manager = try await world.manager(in: book)
    let handler = RecordingHandler()
    for check in ["UserLogin", "PinCode"] { await manager.register(handler, for: check) }
    let flow = try await enter(row.phase, manager, handler, gate)

    let before = try world.world.kinds().count
    let call = Task { try await make(row.call, manager) }
    if row.call == .logout, flow != nil {
      while await manager.waitingFlows < 1 { await Task.yield() }
    } else if row.phase == .obtaining, row.call == .login {
      // It waits to see whether it would disturb a challenge.
      while await manager.waitingFlows < 1 { await Task.yield() }
    } else {
      _ = await call.result
    }
    await finish(manager, gate, handler, row.phase)

    #expect(Self.text(await Result { try await call.value }) == row.result)
    if let flow {
      #expect(Self.text(await Result { try await flow.value }) == row.flow)
    } else {
      #expect(row.flow == "-")
    }
    while await manager.openFlows > 0 { await Task.yield() }
    #expect(await manager.openChallenges.isEmpty)
    #expect(try Array(world.world.kinds().dropFirst(before)) == row.events)
  }

  /// Brings a manager into a state; the flow that is then under way, if one is.
  private func enter(
    _ phase: Phase, _ manager: AuthorizationManager, _ handler: RecordingHandler, _ gate: Gate
  ) async throws -> Task<String, any Error>? {
    let scope = phase == .challengedTwice ? "PinCode UserLogin" : "UserLogin"
    switch phase {
    case .none: return nil
    case .loggingIn:
      await gate.shut()
      let flow = Task { try await Self.logIn(manager) }
      await gate.arrival()
      return flow
    case .obtaining:
      await gate.shut()
      let flow = Task { try await Self.obtain(scope, manager) }
      await gate.arrival()
      return flow
    case .challenged, .challengedTwice:
      let flow = Task { try await Self.obtain(scope, manager) }
      for _ in 1...(phase == .challenged ? 1 : 2) {
        #expect(await handler.next().hasPrefix("challenge"))
      }
      return flow
    case .ended, .loggedOut:
      _ = try await Self.logIn(manager)
      _ = await handler.next()
      if phase == .loggedOut { _ = try await manager.logout("UserLogin") }
      return nil
    }
  }

  private func make(_ call: Call, _ manager: AuthorizationManager) async throws -> String {
    switch call {
    case .submit:
      try await manager.submitChallengeAnswer(.user("john"), to: "UserLogin")
      return "done"
    case .cancel: return "\(await manager.cancel("UserLogin"))"
    case .login: return try await Self.logIn(manager)
    case .logout: return "\(try await manager.logout("UserLogin"))"
    }
  }

  /// Continues the flow and answers what it asks for.
  private func finish(
    _ manager: AuthorizationManager, _ gate: Gate, _ handler: RecordingHandler, _ phase: Phase
  ) async {
    await gate.open()
    if phase == .obtaining { #expect(await handler.next() == "challenge UserLogin [] 3") }
    for challenge in await manager.openChallenges {
      let answer: ChallengeAnswer = challenge.check == "PinCode" ? .pin("1234") : .user("john")
      try? await manager.submitChallengeAnswer(answer, to: challenge.check)
    }
  }

  private static func logIn(_ manager: AuthorizationManager) async throws -> String {
    try await manager.login("UserLogin", credentials: .user("john")).user?.id ?? "nobody"
  }

  private static func obtain(
    _ scope: String, _ manager: AuthorizationManager
  ) async throws -> String {
    _ = try await manager.obtainAccessToken(forScope: scope)
    return "token"
  }

  private static func text(_ result: Result<String, any Error>) -> String {
    switch result {
    case .success(let text): text
    case .failure: result.code?.rawValue ?? "another failure"
    }
  }
}
