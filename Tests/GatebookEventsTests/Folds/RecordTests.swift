import GatebookEvents
import Testing

@Suite struct RecordTests {
  /// Stories whose last states differ in every part of a record.
  private static let stories: [[(EventKind, Facts)]] = [
    [], [(.sessionRestored, [:])], [(.sessionUncertain, [:])], [(.sessionExpired, [:])],
    [(.sessionEnded, ["reason": "identityMismatch"])], [(.logoutRequested, ["by": "erase"])],
    [(.accountErased, ["secrets": 2])],
    [(.refreshStarted, ["attempt": 1, "deadline": 5, "generation": 2])],
    [(.refreshSucceeded, ["generation": 2]), (.sessionVerified, [:])],
    [(.credentialsSaved, [:]), (.accountRenamed, [:]), (.attributesChanged, [:])],
    [(.challengeReceived, ["check": "UserLogin"]), (.challengeReceived, ["check": "PinCode"])],
    [
      (.credentialsLoaded, ["attempt": 2, "fingerprint": "ab", "purpose": "login"]),
      (.loginFailed, ["code": "network.unreachable", "halted": true, "unanswered": true]),
    ],
    [(.accountSwitched, ["to": .text(Story.account.description)])],
  ]

  private static func tell(_ index: Int) -> Story {
    var story = Story.loggedIn()
    for (kind, data) in stories[index] { story.add(kind, data: data) }
    return story
  }

  @Test(arguments: 0..<stories.count)
  func `the record of an account comes back through its bytes`(index: Int) throws {
    let state = try #require(Self.tell(index).state)
    let read = try #require(Facts(decoding: state.record.encoded).flatMap(AccountState.init))
    #expect(read == state)
    #expect(read.record.encoded == state.record.encoded)
  }

  @Test(arguments: 0..<stories.count)
  func `the record of a session comes back through its bytes`(index: Int) throws {
    let record = try #require(Self.tell(index).fold.sessions[Story.session])
    let read = try #require(Facts(decoding: record.record.encoded).flatMap(SessionRecord.init))
    #expect(read == record)
    #expect(read.record.encoded == record.record.encoded)
  }

  @Test func `an account that never logged in has a record too`() throws {
    var story = Story()
    story.add(.accountAdded, session: nil, data: ["method": "http", "server": "s"])
    let state = try #require(story.state)
    #expect(AccountState(record: state.record) == state)
    #expect(story.fold.sessions.isEmpty)
  }

  @Test(
    arguments: [
      "added", "cause", "generation", "method", "person", "position", "reason", "revision",
      "saved", "server", "since", "state", "used",
    ])
  func `a record that lacks a part is damage`(name: String) throws {
    var record = try #require(Self.tell(4).state).record
    #expect(AccountState(record: record) != nil)
    record[name] = nil
    #expect(AccountState(record: record) == nil)
    record[name] = .list([])
    #expect(AccountState(record: record) == nil)
  }

  @Test(
    arguments: [
      ("active", "expired"), ("offline", "user"), ("needsLogin", nil), ("ended", nil),
      ("sleeping", nil), ("uncertain", "refused"),
    ] as [(String, String?)])
  func `a state that contradicts its reason is damage`(state: String, reason: String?) throws {
    var record = try #require(Self.tell(0).state).record
    record["state"] = .text(state)
    record["reason"] = reason.map { .text($0) }
    #expect(AccountState(record: record) == nil)
  }

  @Test(arguments: ["account", "generation", "method", "position", "started", "state"])
  func `a session's record that lacks a part is damage`(name: String) throws {
    var record = try #require(Self.tell(0).fold.sessions[Story.session]).record
    record[name] = nil
    #expect(SessionRecord(record: record) == nil)
  }
}
