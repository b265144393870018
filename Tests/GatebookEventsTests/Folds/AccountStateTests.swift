import GatebookEvents
import Testing

@Suite struct AccountStateTests {
  /// How a state is reached from a fresh login.
  private static let states: [String: (EventKind, Facts)?] = [
    "active": nil,
    "offline": (.sessionRestored, [:]),
    "uncertain": (.sessionUncertain, [:]),
    "needsLogin": (.sessionEnded, ["reason": "refusedWithoutReason"]),
    "ended": (.logoutRequested, ["by": "policy"]),
  ]

  /// Where an event of the session leads from any state that is usable.
  private static let arrows: [(EventKind, Facts, SessionState)] = [
    (.refreshSucceeded, ["generation": 2], .active),
    (.sessionVerified, [:], .active),
    (.sessionRestored, [:], .offline(lastVerified: Timestamp(rawValue: 2000))),
    (.sessionUncertain, ["generation": 2], .uncertain),
    (.sessionExpired, [:], .needsLogin(.expired)),
    (.sessionEnded, ["reason": "refused"], .needsLogin(.refused)),
    (.sessionEnded, ["reason": "offlineTooLong"], .needsLogin(.offlineTooLong)),
    (.sessionEnded, ["reason": "revokedByServer"], .needsLogin(.revokedByServer)),
    (.sessionEnded, ["reason": "secretMissing"], .needsLogin(.secretMissing)),
    (.sessionEnded, ["reason": "identityMismatch"], .needsLogin(.identityMismatch)),
    (.sessionEnded, ["reason": "of a newer version"], .needsLogin(.refused)),
    (.logoutRequested, ["by": "user"], .ended(.user)),
    (.logoutRequested, ["by": "policy"], .ended(.policy)),
    (.logoutRequested, ["by": "erase"], .ended(.user)),
  ]

  /// Events of the session that say nothing about whether it can be used.
  private static let quiet: [EventKind] = [
    .loginStarted, .loginFailed, .loginCancelled, .challengeReceived, .challengeAnswered,
    .challengeCancelled, .challengeFailed, .checkSucceeded, .tokenGranted, .tokenCleared,
    .registrationCreated, .registrationReplaced, .registrationRejected,
    .refreshStarted, .refreshFailed, .refreshDeferred, .refreshDiscarded, .refreshAdopted,
    .logoutCompleted, .credentialsSaved, .credentialsLoaded, .credentialsRemoved,
    .attributesChanged, .cookiesChanged, .originAllowed, .trustDecided, .clockObserved,
    .accountRenamed, .accountSwitched,
  ]

  private static func story(in state: String) -> Story {
    var story = Story.loggedIn()
    if let (kind, data) = states[state] ?? nil { story.add(kind, data: data) }
    return story
  }

  @Test(arguments: states.keys.sorted(), 0..<arrows.count)
  func `each event of the session leads where the table says`(state: String, index: Int) throws {
    var story = Self.story(in: state)
    let before = try #require(story.state)
    #expect(before.state.name == state)
    let (kind, data, target) = Self.arrows[index]
    story.add(kind, data: data)
    let after = try #require(story.state)
    let isHeard = before.state.isUsable || kind == .logoutRequested
    #expect(after.state == (isHeard ? target : before.state))
    #expect(after.cause.rawValue == (isHeard ? story.position : before.cause.rawValue))
    let at = Timestamp(rawValue: story.position * 1000)
    // A life that is over was so before somebody recorded it.
    let since = kind == .sessionExpired ? min(before.expires ?? at, at) : at
    #expect(after.since == (isHeard ? since : before.since))
    #expect(after.position.rawValue == story.position)
  }

  @Test(arguments: states.keys.sorted(), quiet)
  func `other events leave the state alone`(state: String, kind: EventKind) throws {
    var story = Self.story(in: state)
    let before = try #require(story.state)
    story.add(kind)
    let after = try #require(story.state)
    #expect(after.state == before.state)
    #expect(after.cause == before.cause)
    #expect(after.since == before.since)
    #expect(after.session == before.session)
    #expect(after.generation == before.generation)
  }

  @Test(arguments: states.keys.sorted())
  func `a login makes any state active, in a session of its own`(state: String) throws {
    var story = Self.story(in: state)
    let next = SessionID(high: 9, low: 9)
    story.add(.loginSucceeded, session: next, data: ["generation": 1, "boot": 80])
    let after = try #require(story.state)
    #expect(after.state == .active)
    #expect(after.session == next)
    #expect(after.generation == 1)
    #expect(after.expires == nil)
    #expect(after.renewed?.boot == 80)
    #expect(after.method == "form")
    #expect(after.person.rawValue == story.position)
  }

  @Test(arguments: states.keys.sorted())
  func `an erase ends any state for good, and its session where it ended it`(state: String) throws {
    for session in [Story.session, nil] {
      var story = Self.story(in: state)
      story.add(.credentialsSaved, data: ["purpose": "login"])
      story.add(.refreshDiscarded, data: ["outbox": "key"])
      let record = story.fold.sessions[Story.session]
      story.add(.accountErased, session: session)
      let erased = try #require(story.state)
      #expect(erased.state == .ended(.erased))
      #expect(erased.cause.rawValue == story.position)
      #expect(!erased.savedCredentials)
      #expect(erased.outbox.isEmpty)
      let ended = story.fold.sessions[Story.session]
      #expect(session == nil ? ended == record : ended?.reason == .erased)
      for kind in EventKind.allCases where kind != .accountAdded {
        story.add(kind, data: ["outbox": "late", "purpose": "login"])
      }
      var expected = erased
      expected.revision = try #require(story.state).revision
      expected.position = try #require(story.state).position
      #expect(story.state == expected)
    }
  }

  @Test(arguments: arrows.map(\.0))
  func `an event of another session changes nothing`(kind: EventKind) throws {
    for session in [SessionID(high: 9, low: 9), nil] {
      var story = Story.loggedIn()
      let before = try #require(story.state)
      story.add(kind, session: session, data: ["generation": 7, "reason": "refused"])
      var expected = before
      expected.revision = 3
      expected.position = Position(rawValue: 3)
      #expect(story.state == expected)
    }
  }

  @Test func `a kind of a newer version is counted and else left alone`() throws {
    var story = Story.loggedIn()
    var expected = try #require(story.state)
    story.add(nil, data: ["generation": 9])
    expected.revision = 3
    expected.position = Position(rawValue: 3)
    #expect(story.state == expected)
  }

  @Test func `an account begins without a session`() throws {
    var story = Story()
    story.add(.accountAdded, session: nil, data: ["method": "http", "server": "https://a.example"])
    let state = try #require(story.state)
    #expect(state.state == .needsLogin(.secretMissing))
    #expect(state.session == nil)
    #expect(state.label == nil)
    #expect(state.generation == 0)
    story.add(.sessionVerified, session: nil)
    #expect(story.state?.state == .needsLogin(.secretMissing))
  }

  @Test func `a confirmation restarts the life of the secrets`() throws {
    var story = Story.loggedIn()
    #expect(story.state?.expires == Timestamp(rawValue: 2500))
    #expect(story.state?.renewed?.boot == 70)
    story.add(.refreshSucceeded, data: ["boot": 90, "generation": 2, "lifetime": 700])
    let state = try #require(story.state)
    #expect(state.generation == 2)
    #expect(state.expires == Timestamp(rawValue: 3700))
    #expect(state.renewed == LifeClock(wall: Timestamp(rawValue: 3000), boot: 90))
    #expect(state.verified == Position(rawValue: 3))
    #expect(state.started == Timestamp(rawValue: 2000))
  }

  @Test func `a lifetime without end is no trap`() {
    var story = Story.loggedIn()
    story.add(.refreshSucceeded, data: ["generation": 2, "lifetime": .integer(.max)])
    #expect(story.state?.expires == Timestamp(rawValue: .max))
  }

  @Test(arguments: [.refreshSucceeded, .refreshFailed, .refreshDeferred] as [EventKind])
  func `an intent is open until its end is recorded`(end: EventKind) throws {
    var story = Story.loggedIn()
    story.add(.refreshStarted, data: ["attempt": 2, "deadline": 99, "generation": 2])
    let intent = try #require(story.state?.intent)
    #expect(intent.position == Position(rawValue: 3))
    #expect(intent.attempt == 2)
    #expect(intent.generation == 2)
    #expect(intent.deadline == Timestamp(rawValue: 99))
    story.add(.attributesChanged)
    #expect(story.state?.intent == intent)
    story.add(end, data: ["generation": 2])
    #expect(story.state?.intent == nil)
  }

  @Test func `facts about the account are remembered by their positions`() throws {
    var story = Story.loggedIn()
    #expect(story.state?.label == Position(rawValue: 1))
    story.add(.accountRenamed, session: nil)
    story.add(.attributesChanged)
    story.add(.accountSwitched, session: nil)
    story.add(.credentialsSaved)
    let state = try #require(story.state)
    #expect(state.label == Position(rawValue: 3))
    #expect(state.attributes == Position(rawValue: 4))
    #expect(state.used == Position(rawValue: 5))
    #expect(state.savedCredentials)
    story.add(.logoutRequested)
    #expect(story.state?.savedCredentials == true)
    story.add(.credentialsRemoved, session: nil)
    #expect(story.state?.savedCredentials == false)
  }

  @Test(arguments: [
    EventKind.challengeAnswered, .challengeCancelled, .challengeFailed, .checkSucceeded,
  ])
  func `a security check is open from its challenge until it is settled`(kind: EventKind) throws {
    var story = Story.loggedIn()
    story.add(.challengeReceived, data: ["check": "PinCode"])
    story.add(.challengeReceived, data: ["check": "UserLogin"])
    story.add(.challengeReceived, data: ["scheme": "basic"])
    let open = try #require(story.state)
    #expect(open.openChallenges.keys.sorted() == ["PinCode", "UserLogin"])
    #expect(open.openChallenges["PinCode"]?.rawValue == story.position - 2)
    #expect(open.state == .active)
    story.add(kind, data: ["check": "PinCode"])
    #expect(story.state?.openChallenges.keys.sorted() == ["UserLogin"])
    story.add(kind, data: ["check": "PinCode"])
    #expect(story.state?.openChallenges.count == 1)
  }

  @Test(arguments: [EventKind.logoutRequested, .sessionEnded])
  func `no security check stays open when the session ends`(kind: EventKind) throws {
    var story = Story.loggedIn()
    story.add(.challengeReceived, data: ["check": "PinCode"])
    story.add(kind)
    #expect(story.state?.openChallenges == [:])
    story.add(.challengeReceived, data: ["check": "PinCode"])
    #expect(story.state?.openChallenges == [:])
  }
}
