import Testing

@testable import GatebookEvents

/// What the fold counts of sessions that are used without their server.
@Suite struct OfflineFoldTests {
  private static func story(limit: Int64? = 1000) -> Story {
    var story = Story()
    story.add(.accountAdded, session: nil, data: ["method": "http", "server": "s"])
    story.add(
      .loginSucceeded,
      data: ["boot": 5000, "generation": 1, "offlineLimit": limit.map { .integer($0) }])
    return story
  }

  /// How long the session has been unconfirmed at the story's end, and a second later.
  private static func length(_ story: Story, boot: Int64) -> Duration? {
    story.state?.offline?.length(
      at: Timestamp(rawValue: story.position * 1000), boot: boot)
  }

  @Test func `a session without a limit is not counted`() {
    var story = Self.story(limit: nil)
    story.add(.sessionRestored, data: ["boot": 9000])
    #expect(story.state?.offline == nil)
    #expect(story.state.flatMap { Facts(decoding: $0.encoded) }?["offline"] == nil)
  }

  @Test func `the clock that says the most counts, and what was counted stays`() {
    var story = Self.story()
    #expect(Self.length(story, boot: 5000) == .zero)
    #expect(Self.length(story, boot: 5700) == .microseconds(700))
    // 1000 by the wall clock, 3000 by the other.
    story.add(.sessionRestored, data: ["boot": 8000])
    #expect(Self.length(story, boot: 8000) == .microseconds(3000))
    // The machine was started again: 1000 by the wall clock, 400 since the start.
    story.add(.sessionRestored, data: ["boot": 400])
    #expect(Self.length(story, boot: 400) == .microseconds(4000))
    // A wall clock that was set back, and a boot clock that kept running.
    let span = story.state?.offline
    #expect(
      span?.length(at: Timestamp(rawValue: -99), boot: 900) == .microseconds(4500))
    #expect(span?.length(at: Timestamp(rawValue: -99), boot: nil) == .microseconds(4000))
  }

  @Test func `another start of the machine is known by its name, however long it runs`() throws {
    var story = Self.story()
    story.add(
      .sessionRestored, data: ["boot": 8000, "bootID": .text(BootID(rawValue: 1).description)])
    let span = try #require(story.state?.offline)
    let wall = Timestamp(rawValue: -99)
    #expect(span.length(at: wall, boot: 9000, bootID: BootID(rawValue: 1)) == .microseconds(4000))
    #expect(span.length(at: wall, boot: 9000, bootID: BootID(rawValue: 2)) == .microseconds(12000))
    let row = try #require(story.state?.encoded)
    #expect(row.withUnsafeBytes(AccountState.init(decoding:))?.offline == span)
  }

  @Test func `while the machine runs a wall clock that jumps makes it neither longer nor shorter`()
    throws
  {
    let boot = BootID(rawValue: 1)
    var story = Self.story()
    story.add(
      .sessionRestored, data: ["boot": 8000, "bootID": .text(boot.description)])
    let counted = try #require(story.state?.offline)
    for wall in [-3_600_000_000, 0, 3_600_000_000] {
      #expect(
        counted.length(at: Timestamp(rawValue: Int64(wall)), boot: 8500, bootID: boot)
          == .microseconds(3500))
    }
  }

  @Test(arguments: [EventKind.sessionVerified, .refreshSucceeded, .loginSucceeded])
  func `a confirmation by the server restarts the offline limit`(_ kind: EventKind) {
    var story = Self.story()
    story.add(.sessionRestored, data: ["boot": 9000])
    story.add(kind, data: ["boot": 9500, "offlineLimit": 1000])
    #expect(Self.length(story, boot: 9500) == .zero)
    #expect(story.state?.offline?.limit == 1000)
  }

  @Test func `times of a strange log do not trap`() {
    var story = Self.story(limit: .max)
    for boot in [Int64.min, .max, .min] {
      story.add(.sessionRestored, data: ["boot": .integer(boot)])
    }
    let span = story.state?.offline
    for wall in [Int64.min, 0, .max] {
      for boot in [Int64.min, 0, .max] {
        #expect(span?.length(at: Timestamp(rawValue: wall), boot: boot) ?? .zero >= .zero)
      }
    }
  }

  @Test func `tries are counted until the right one, or until a login keeps what checks them`() {
    var story = Self.story()
    let attempt: Facts = ["scheme": "password", "source": "offline"]
    for count in 1...3 {
      story.add(.challengeReceived, data: attempt)
      story.add(.challengeFailed, data: attempt)
      #expect(story.state?.passwordAttempts == Int64(count))
    }
    // A challenge of the server is none, nor is a login without a password the end of the count.
    story.add(.challengeReceived, data: ["scheme": "basic"])
    story.add(.loginSucceeded, session: SessionID(high: 5, low: 2), data: ["generation": 1])
    story.add(.credentialsSaved, data: ["purpose": "login"])
    story.add(.sessionRestored, data: ["evidence": 4])
    #expect(story.state?.passwordAttempts == 3)
    story.add(.sessionRestored, data: ["evidence": "password"])
    #expect(story.state?.passwordAttempts == 0)
    story.add(.challengeReceived, data: attempt)
    story.add(.credentialsSaved, data: ["offline": true, "purpose": "login"])
    #expect(story.state?.passwordAttempts == 0)
    #expect(story.state?.savedCredentials == true)
  }

  @Test func `checking a password does not log in automatically`() {
    var story = Self.story()
    story.add(.credentialsSaved, data: ["offline": true, "purpose": "offline"])
    #expect(story.state?.savedCredentials == false)
    story.add(.credentialsSaved, data: ["purpose": "login"])
    story.add(.credentialsRemoved, data: ["purpose": "offline"])
    #expect(story.state?.savedCredentials == true)
  }

  @Test func `both come back through the record`() throws {
    var story = Self.story()
    story.add(.sessionRestored, data: ["boot": 9000])
    story.add(.challengeReceived, data: ["scheme": "password", "source": "offline"])
    let state = try #require(story.state)
    #expect(state.offline != nil)
    let read = try #require(state.encoded.withUnsafeBytes(AccountState.init(decoding:)))
    #expect(read == state)
  }
}
