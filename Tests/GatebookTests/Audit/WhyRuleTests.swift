import GatebookTestSupport
import Testing

@testable import Gatebook
@testable import GatebookEvents
@testable import GatebookStore

/// The tables of rules that `why` follows.
@Suite struct WhyRuleTests {
  private static let names =
    AnswerSlot.allCases.flatMap(\.rules).map(\.name) + Advice.rules.map(\.name)

  @Test func `no two rules have the same name`() {
    #expect(Set(Self.names).count == Self.names.count)
  }

  /// The catalog has the situations that people ask about; the others are made here.
  @Test func `each rule is hit by a situation`() async throws {
    var hit: Set<String> = []
    for situation in Situation.all { hit.formUnion(try await situation.told().rules) }
    let stage = try await RuleStage()
    for row in RuleStage.rows {
      let rules = stage.rules(row.change)
      #expect(rules.contains(row.name), "\(row.name): \(rules)")
      hit.formUnion(rules)
    }
    #expect(Self.names.filter { !hit.contains($0) } == [])
  }
}

/// A situation of an account that has just logged in, to be changed.
struct RuleStage {
  private let situation: AccountSituation

  init() async throws {
    let (world, server, book) = try await TokenServer.stage()
    let ada = try await book.logIn(server.method()).account
    let reader = try BookReader.open(at: world.path)
    let state = try #require(try reader.state(of: ada))
    let holder = LockHolder(of: 1 << 20, BookFile(path: world.path))
    situation = AccountSituation(
      context: try await book.context(of: ada), folded: state, now: world.clock.now(), events: [],
      ownEvents: [], ofUse: [], saved: .none, kept: .whole, isDiskFull: false, endCause: nil,
      lostScopes: nil, distrust: nil, refusals: [], begun: nil, lockHolder: nil,
      hasOrphanedLogin: false, deliverer: nil, isSpentByUse: false, heldUpTriggers: [],
      isClosedOffline: false, isByToken: false, hasOpenLogin: false, hasUnendedLogin: false)
    self.holder = holder
  }

  /// Nobody's lock: its process cannot be seen.
  private let holder: LockHolder

  /// The names of the rules that are followed in a changed situation.
  func rules(_ change: (inout Changes) -> Void) -> [String] {
    var changes = Changes(situation: situation, state: situation.folded, holder: holder)
    change(&changes)
    var changed = changes.situation
    changed.folded = changes.state
    changed.context = SessionContext(
      situation.context.account, changes.state, isCurrent: true, label: nil,
      loginName: situation.context.loginName, attributes: situation.context.attributes)
    if changes.isPastLimit { changed.context = changed.context.pastOfflineLimit() }
    changed.ownEvents = changed.events.at(changed.context.server)
    changed.ofUse = changed.ownEvents.ofUse
    return changed.answer.rules + changed.advice.rules
  }
}

extension RuleStage {
  /// What a row changes.
  struct Changes {
    var situation: AccountSituation
    var state: AccountState
    let holder: LockHolder
    var isPastLimit = false

    var now: Moment { situation.now ?? Moment(wall: state.since, boot: .zero) }

    /// Lets the access token expire.
    mutating func expire() { pass(.seconds(900), .seconds(900)) }

    /// Lets time pass, by each clock.
    mutating func pass(_ wall: Duration, _ boot: Duration) {
      situation.now = Moment(
        wall: now.wall + wall, boot: now.boot + boot, bootID: now.bootID)
    }

    /// Lets renewals fail.
    mutating func putOff(halted: Bool = false, demandedFor wait: Duration? = nil) {
      state.deferral = AccountState.Deferral(
        count: 1, at: now.wall, wait: wait?.microseconds, isDemanded: wait != nil, isHalted: halted)
    }

    mutating func begin(isHeld: Bool?) {
      var start = event(
        RefreshStarted(attempt: 1, deadline: now.wall, generation: 2, trigger: "needed"))
      if isHeld == nil { start = event(LoginStarted(isInteractive: false, method: "", server: "")) }
      situation.begun = UnfinishedWork(start: start, isHeld: isHeld)
    }

    mutating func intend() {
      state.intent = AccountState.Intent(
        position: Position(rawValue: 5), generation: 2, attempt: 1, deadline: now.wall)
    }

    mutating func owe(demanding wait: Int64 = 0) {
      state.outbox["a"] = AccountState.Delivery(
        position: .start, since: now.wall, tries: 1, at: now.wall, wait: 0, demanded: wait)
    }

    mutating func fail(_ code: FailureCode, _ fault: Fault? = nil, check: String? = nil) {
      var challenge = AskedChallenge(scheme: "basic")
      challenge.check = check
      var failed = ChallengeFailed(challenge)
      failed.failure.code = code
      failed.failure.fault = fault
      situation.events.append(event(failed))
    }

    /// Lets a login fail; one with saved credentials tells how those are received.
    mutating func failLogIn(_ code: FailureCode, saved: Bool = false) {
      let session = saved ? SessionID(high: 1, low: 9) : nil
      if saved {
        situation.saved = .usable
        situation.events.append(event(CredentialsLoaded(purpose: "login"), session: session))
      }
      var failed = LoginFailed()
      failed.failure.code = code
      situation.events.append(event(failed, session: session))
    }

    /// Lets the server demand a stronger login.
    mutating func demand(age: Duration? = .seconds(60)) {
      state.openChallenges = ["step-up": .start]
      var challenge = AskedChallenge(scheme: "bearer")
      challenge.check = "step-up"
      var received = ChallengeReceived(challenge)
      received.maximumAge = age
      situation.events.append(event(received))
    }

    func event(_ facts: some EventFacts, session: SessionID? = nil) -> RecordedEvent {
      RecordedEvent(
        position: Position(rawValue: Int64(1000 + situation.events.count)),
        id: EventID(high: 1, low: 1), account: nil, revision: 1, session: session,
        kind: type(of: facts).kind.rawValue, version: 1, at: now.wall, cause: nil,
        writer: Writer(
          program: Program(
            name: "mail", version: "1", installation: InstallationID(high: 1, low: 2)), process: 1),
        data: facts.facts, personal: nil)
    }
  }

  /// A rule, and a situation that hits it.
  struct Row {
    let name: String
    let change: @Sendable (inout Changes) -> Void

    init(_ name: String, _ change: @escaping @Sendable (inout Changes) -> Void) {
      self.name = name
      self.change = change
    }
  }

  static let rows: [Row] = answers + advice

  private static let answers: [Row] = [
    Row("active, token used up") { $0.state.unanswered = 2 },
    Row("renewal unanswered, still valid") {
      $0.state.state = .uncertain
      $0.intend()
    },
    Row("to be renewed") { $0.expire() },
    Row("renewal off") {
      $0.expire()
      $0.putOff(halted: true)
    },
    Row("renewal later") {
      $0.expire()
      $0.putOff(demandedFor: .seconds(60))
    },
    Row("challenged") { $0.state.state = .challenged },
    Row("answer lost, expired") {
      $0.state.state = .uncertain
      $0.state.unanswered = 1
      $0.expire()
    },
    Row("answer lost") {
      $0.state.state = .uncertain
      $0.state.unanswered = 1
    },
    Row("needs login, unanswered") {
      $0.state.state = .needsLogin(.refusedAfterUnknownOutcome)
      $0.situation.events = [$0.event(SessionEnded.unanswered)]
    },
    Row("erasing") {
      $0.state.state = .ended(.user)
      $0.situation.events = [$0.event(LogoutRequested(by: "erase"))]
    },
    Row("clock set forward") { $0.pass(.seconds(900), .zero) },
    Row("clock set back") { $0.pass(.zero, .seconds(900)) },
    Row("expired, next use renews") { $0.expire() },
    Row("expired, renewal off") {
      $0.expire()
      $0.putOff(halted: true)
    },
    Row("expired, renewal later") {
      $0.expire()
      $0.putOff(demandedFor: .seconds(60))
    },
    Row("renewal ended") { $0.state.renewalEnd = .init(position: .start, reason: .refused) },
    Row("refused, renewal off") {
      $0.situation.heldUpTriggers = ["401"]
      $0.putOff(halted: true)
    },
    Row("offline password blocked") { $0.situation.isClosedOffline = true },
    Row("login waits") { $0.situation.hasOpenLogin = true },
    Row("login unended") { $0.situation.hasUnendedLogin = true },
    Row("former session untold") { $0.owe() },
    Row("delivery running") {
      $0.owe()
      $0.situation.deliverer = $0.holder
    },
    Row("lock held") { $0.situation.lockHolder = $0.holder },
    Row("saved login orphaned") { $0.situation.hasOrphanedLogin = true },
    Row("work running") { $0.begin(isHeld: true) },
    Row("renewal unended") { $0.intend() },
    Row("disk full") { $0.situation.isDiskFull = true },
  ]

  private static let advice: [Row] = [
    Row("advice: key missing") { $0.situation.kept = .keyless },
    Row("advice: secret changed, login waits") {
      $0.situation.kept = .changed
      $0.situation.hasOpenLogin = true
    },
    Row("advice: secret changed") { $0.situation.kept = .changed },
    Row("advice: obstacle to one more try") {
      $0.state.unanswered = 2
      $0.fail(.configurationInvalid)
    },
    Row("advice: stronger login of an application") {
      $0.demand()
      $0.situation.isByToken = true
    },
    Row("advice: stronger login, not said which") { $0.demand(age: nil) },
    Row("advice: stronger login, scope missing") {
      $0.demand()
      $0.failLogIn(.scopeMissing)
    },
    Row("advice: stronger login, no page") {
      $0.demand()
      $0.failLogIn(.configurationInvalid)
    },
    Row("advice: stronger login, other user") {
      $0.demand()
      $0.failLogIn(.identityMismatch)
    },
    Row("advice: trust revoked") {
      $0.situation.events = [$0.event(TrustDecided(by: "user", verdict: "revoked"))]
    },
    Row("advice: blocked") { $0.fail(.challengeBlocked) },
    Row("advice: check blocked") { $0.fail(.challengeBlocked, check: "pin") },
    Row("advice: renewal ended") {
      $0.state.renewalEnd = .init(position: .start, reason: .refused)
    },
    Row("advice: obstacle after a lost answer") {
      $0.state.state = .uncertain
      $0.state.unanswered = 1
      $0.fail(.configurationInvalid)
    },
    Row("advice: renewal failed, still serving") {
      $0.state.state = .offline(lastVerified: $0.now.wall)
      $0.putOff()
    },
    Row("advice: server demands a wait") {
      $0.expire()
      $0.putOff(demandedFor: .seconds(60))
    },
    Row("advice: demanded wait over, still serving") {
      $0.state.state = .offline(lastVerified: $0.now.wall)
      $0.putOff(demandedFor: .seconds(60))
      $0.pass(.seconds(90), .zero)
    },
    Row("advice: demanded wait over") {
      $0.putOff(demandedFor: .seconds(60))
      $0.expire()
    },
    Row("advice: question that cannot be answered") { $0.fail(.challengeUnhandled, .scheme) },
    Row("advice: question") { $0.fail(.challengeUnhandled) },
    Row("advice: check put off") {
      var unverified = SessionUnverified()
      unverified.demandedWait = .seconds(60)
      unverified.failure.code = .serverUnavailable
      $0.situation.events = [$0.event(unverified)]
    },
    Row("advice: obstacle to a check") {
      var unverified = SessionUnverified()
      unverified.failure.code = .configurationInvalid
      $0.situation.events = [$0.event(unverified)]
    },
    Row("advice: offline password blocked") { $0.situation.isClosedOffline = true },
    Row("advice: challenged") { $0.state.state = .challenged },
    Row("advice: obstacle to the refused token") {
      $0.state.state = .needsLogin(.refusedWithoutReason)
      $0.situation.saved = .refusedSilently
      $0.fail(.configurationInvalid)
    },
    Row("advice: erasing") {
      $0.state.state = .ended(.user)
      $0.situation.events = [$0.event(LogoutRequested(by: "erase"))]
    },
    Row("advice: delivery running") {
      $0.owe()
      $0.situation.deliverer = $0.holder
    },
    Row("advice: obstacle to a login") {
      $0.state.state = .needsLogin(.refused)
      $0.fail(.configurationInvalid)
    },
    Row("advice: login blocked") {
      $0.state.state = .needsLogin(.refused)
      $0.failLogIn(.challengeBlocked)
    },
    Row("advice: login waits") {
      $0.state.state = .needsLogin(.refused)
      $0.situation.hasOpenLogin = true
    },
    Row("advice: obstacle to a saved login") {
      $0.state.state = .needsLogin(.refused)
      $0.failLogIn(.configurationInvalid, saved: true)
    },
    Row("advice: saved login blocked") {
      $0.state.state = .needsLogin(.refused)
      $0.failLogIn(.challengeBlocked, saved: true)
    },
    Row("advice: disk full") { $0.situation.isDiskFull = true },
  ]
}

extension SessionEnded {
  fileprivate static var unanswered: SessionEnded {
    SessionEnded(reason: .refusedAfterUnknownOutcome)
  }
}
