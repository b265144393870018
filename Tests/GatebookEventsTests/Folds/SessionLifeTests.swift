import GatebookEvents
import Testing

/// What the fold keeps of a session's life, for those who read it with a clock.
@Suite struct SessionLifeTests {
  private static let boot = BootID(rawValue: 7)

  /// Requested at 1.5 ms by the wall clock; its secrets are valid for 500 µs.
  private static func story(_ more: Facts = [:]) -> Story {
    var story = Story.loggedIn()
    var data: Facts = [
      "boot": 90, "bootID": .text(boot.description), "generation": 2, "lifetime": 500,
      "sent": 1500,
    ]
    for name in more.names { data[name] = more[name] }
    story.add(.refreshSucceeded, data: data)
    return story
  }

  private static func now(_ boot: Int64) -> Moment {
    Moment(
      wall: Timestamp(rawValue: 1410 + boot), boot: .microseconds(boot), bootID: Self.boot)
  }

  @Test func `a life counts from when its request was sent`() throws {
    let state = try #require(Self.story().state)
    #expect(state.expires == Timestamp(rawValue: 2000))
    #expect(
      state.renewed
        == LifeClock(wall: Timestamp(rawValue: 1500), boot: 90, bootID: Self.boot))
    #expect(state.verifiedAt == Timestamp(rawValue: 3000))
    #expect(state.age(at: Self.now(190)) == .microseconds(100))
  }

  @Test func `what cannot be renewed has expired at its end, and not before`() throws {
    let state = try #require(Self.story(["renewable": false]).state)
    #expect(!state.hasExpired(at: Self.now(589)))
    #expect(state.hasExpired(at: Self.now(590)))
  }

  @Test func `what can live on does not expire`() throws {
    let late = Self.now(5000)
    #expect(try !#require(Self.story().state).hasExpired(at: late))
    var saved = Self.story(["renewable": false])
    saved.add(.credentialsSaved, data: ["purpose": "login"])
    #expect(try !#require(saved.state).hasExpired(at: late))
    let endless = Self.story(["lifetime": .null, "renewable": false])
    #expect(try !#require(endless.state).hasExpired(at: late))
    var ended = Self.story(["renewable": false])
    ended.add(.logoutRequested, data: ["by": "user"])
    #expect(try !#require(ended.state).hasExpired(at: late))
  }

  @Test func `what was saved and refused makes nothing live on until something else is saved`()
    throws
  {
    let late = Self.now(5000)
    var story = Self.story(["renewable": false])
    story.add(.credentialsSaved, data: ["purpose": "login"])
    let attempt = SessionID(high: 9, low: 9)
    story.add(.loginStarted, session: attempt)
    story.add(.credentialsLoaded, session: attempt, data: ["purpose": "login"])
    story.add(.loginFailed, session: attempt, data: ["code": "network.unreachable"])
    #expect(try !#require(story.state).hasExpired(at: late))
    story.add(.loginFailed, data: ["code": "credentials.refused", "halted": true])
    #expect(try !#require(story.state).hasExpired(at: late), "another login failed")
    story.add(
      .loginFailed, session: attempt, data: ["code": "credentials.refused", "halted": true])
    #expect(try #require(story.state).hasExpired(at: late))
    // A try that somebody asked for, and that nobody answered, makes it no better.
    story.add(.credentialsLoaded, session: attempt, data: ["purpose": "login"])
    story.add(.loginFailed, session: attempt, data: ["code": "network.unreachable"])
    #expect(try #require(story.state).hasExpired(at: late))
    story.add(.credentialsSaved, data: ["purpose": "login"])
    #expect(try !#require(story.state).hasExpired(at: late))
  }

  @Test func `an older version gave up on refresh tokens, too; only a password is not sent again`()
    throws
  {
    let refusal: Facts = ["code": "server.refused", "halted": true]
    for (fingerprint, isHalted) in [("ab", false), (nil, true)] as [(FactValue?, Bool)] {
      var story = Self.story([:])
      story.add(.refreshStarted, data: ["attempt": 1, "fingerprint": fingerprint])
      story.add(.refreshDeferred, data: refusal)
      #expect(try #require(story.state?.deferral).isHalted == isHalted)
      // What fails otherwise later does not make a password good again.
      story.add(.refreshDeferred, data: ["code": "server.unavailable", "retryAfter": 5])
      #expect(try #require(story.state?.deferral).isHalted == isHalted)
      story.add(.refreshSucceeded, data: ["generation": 2])
      #expect(story.state?.deferral == nil)
    }
  }

  @Test func `one use that tries again fails once`() throws {
    var story = Self.story([:])
    for isRepeated in [nil, true, true, nil, true] as [FactValue?] {
      story.add(.refreshDeferred, data: ["repeated": isRepeated, "retryAfter": 5])
    }
    #expect(story.state?.deferral?.count == 2)
  }

  @Test func `a refusal that ends renewal ends the session once it has expired`() throws {
    var story = Self.story()
    story.add(.refreshFailed, data: ["code": "token.refused"])
    #expect(story.state?.renewalEnd == nil)
    story.add(.sessionUncertain, data: ["attempt": 1])
    story.add(.refreshFailed, data: ["attempt": 2, "reason": "refusedAfterUnknownOutcome"])
    let state = try #require(story.state)
    #expect(state.state == .active)
    #expect(state.renewalEnd?.reason == .refusedAfterUnknownOutcome)
    #expect(state.unrecordedEnd(at: Self.now(100))?.reason == nil)
    #expect(state.unrecordedEnd(at: Self.now(5000))?.reason == .refusedAfterUnknownOutcome)
    story.add(.sessionExpired, data: ["reason": "refusedAfterUnknownOutcome"])
    #expect(story.state?.state == .needsLogin(.refusedAfterUnknownOutcome))
  }

  @Test func `clocks that were observed are kept until the next login`() throws {
    var story = Self.story(["offset": 3])
    #expect(story.state?.offset == 3)
    story.add(.clockObserved, data: ["offset": 60, "jump": 40])
    story.add(.clockObserved, data: ["jump": 2])
    let state = try #require(story.state)
    #expect(state.offset == 60)
    #expect(state.renewed?.offset == 3)
    #expect(state.renewed?.jumped == 42)
    #expect(state.encoded.withUnsafeBytes(AccountState.init(decoding:)) == state)
    story.add(.loginSucceeded, session: SessionID(high: 9, low: 9), data: ["generation": 1])
    #expect(story.state?.offset == 0)
    #expect(story.state?.isRenewable == true)
  }

  @Test func `the record holds all of it`() throws {
    let state = try #require(Self.story(["offset": -5, "renewable": false]).state)
    #expect(state.encoded.count > 0)
    #expect(state.encoded.withUnsafeBytes(AccountState.init(decoding:)) == state)
  }
}
