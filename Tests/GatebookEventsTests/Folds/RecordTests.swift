import GatebookEvents
import Testing

@Suite struct RecordTests {
  /// Stories whose last states differ in every part of a record.
  private static let stories: [[(EventKind, Facts)]] = [
    [], [(.sessionRestored, [:])], [(.sessionUncertain, [:])], [(.sessionExpired, [:])],
    [(.sessionEnded, ["reason": "identityMismatch"])], [(.logoutRequested, ["by": "erase"])],
    [(.accountErased, ["secrets": 2])],
    [(.refreshStarted, ["attempt": 1, "deadline": 5, "generation": 2])],
    [
      (.refreshStarted, ["attempt": 1, "fingerprint": "ab"]),
      (.refreshDeferred, ["code": "server.refused", "halted": true]),
      (.refreshStarted, ["attempt": 1, "fingerprint": "ab"]),
    ],
    [(.refreshFailed, ["code": "token.refused", "reason": "refusedWithoutReason"])],
    [(.sessionUncertain, ["attempt": 1, "code": "network.unreachable"])],
    [(.sessionUncertain, ["attempt": 1])],
    [(.refreshSucceeded, ["generation": 2]), (.sessionVerified, [:])],
    [(.credentialsSaved, [:]), (.accountRenamed, [:]), (.attributesChanged, [:])],
    [(.challengeReceived, ["check": "UserLogin"]), (.challengeReceived, ["check": "PinCode"])],
    [
      (.credentialsLoaded, ["attempt": 2, "fingerprint": "ab", "purpose": "login"]),
      (.loginFailed, ["code": "network.unreachable", "halted": true, "unanswered": true]),
    ],
    [(.refreshDeferred, ["attempt": 1, "demanded": true, "retryAfter": 5])],
    [(.refreshDeferred, [:]), (.sessionRestored, ["boot": 5, "bootID": "0123456789abcdef"])],
    [(.challengeReceived, ["check": "b\"\u{1}"]), (.challengeReceived, ["check": "B\\é"])],
    [
      (.logoutRequested, ["outbox": "k2"]),
      (.revocationQueued, ["outbox": "k1", "reason": "user"]),
      (.revocationFailed, ["code": "network.unreachable", "outbox": "k2", "retryAfter": 7]),
    ],
    [(.accountSwitched, ["to": .text(Story.account.description)])],
  ]

  private static func tell(_ index: Int) -> Story {
    var story = Story.loggedIn()
    for (kind, data) in stories[index] { story.add(kind, data: data) }
    return story
  }

  private static func record(of index: Int) throws -> Facts {
    let state = try #require(tell(index).state)
    return try #require(Facts(decoding: state.encoded))
  }

  private static func read(_ record: Facts) -> AccountState? {
    record.encoded.withUnsafeBytes(AccountState.init(decoding:))
  }

  @Test(arguments: 0..<stories.count)
  func `the record of an account comes back through its bytes`(index: Int) throws {
    let state = try #require(Self.tell(index).state)
    let read = try #require(state.encoded.withUnsafeBytes(AccountState.init(decoding:)))
    #expect(read == state)
    #expect(read.encoded == state.encoded)
    #expect(Facts(decoding: state.encoded)?.encoded == state.encoded)
  }

  @Test(arguments: 0..<stories.count)
  func `the record of a session comes back through its bytes`(index: Int) throws {
    let record = try #require(Self.tell(index).fold.sessions[Story.session])
    let read = try #require(record.encoded.withUnsafeBytes(SessionRecord.init(decoding:)))
    #expect(read == record)
    #expect(read.encoded == record.encoded)
  }

  @Test(arguments: 0..<stories.count)
  func `the packed record of an account comes back, and is shorter`(index: Int) throws {
    let state = try #require(Self.tell(index).state)
    #expect(state.packed.withUnsafeBytes(AccountState.init(packed:)) == state)
    #expect(2 * state.packed.count < state.encoded.count)
  }

  @Test(arguments: 0..<stories.count)
  func `no wrong byte in a packed record traps, and no cut makes one`(index: Int) throws {
    let bytes = try #require(Self.tell(index).state).packed
    for place in bytes.indices {
      for byte in UInt8.min...UInt8.max {
        var wrong = bytes
        wrong[place] = byte
        _ = wrong.withUnsafeBytes(AccountState.init(packed:))
      }
      #expect(bytes[..<place].withUnsafeBytes(AccountState.init(packed:)) == nil)
    }
    #expect((bytes + [0]).withUnsafeBytes(AccountState.init(packed:)) == nil)
  }

  @Test(arguments: 0..<stories.count)
  func `no wrong byte in a record traps, and no cut makes one`(index: Int) throws {
    let bytes = try #require(Self.tell(index).state).encoded
    for place in bytes.indices {
      for bit in 0..<8 {
        var wrong = bytes
        wrong[place] ^= 1 << bit
        let read = wrong.withUnsafeBytes(AccountState.init(decoding:))
        if let read { #expect(read.encoded.withUnsafeBytes(AccountState.init(decoding:)) == read) }
      }
      #expect(bytes[..<place].withUnsafeBytes(AccountState.init(decoding:)) == nil)
    }
  }

  @Test func `what a newer Gatebook knows besides is stepped over`() throws {
    var record = try Self.record(of: 7)
    for name in ["aa", "intent2", "zz"] { record[name] = .object(["added": .list([1, "x"])]) }
    #expect(Self.read(record) == Self.tell(7).state)
  }

  @Test func `no count in a foreign row or event is too large to continue from`() throws {
    var story = Story.loggedIn()
    story.add(.refreshDeferred, data: ["attempt": 1])
    story.add(.logoutRequested, session: nil, data: ["outbox": "k"])
    var record = try #require(story.state.flatMap { Facts(decoding: $0.encoded) })
    record["passwords"] = .integer(.max)
    for (name, member) in [("deferral", "count"), ("outbox", "tries")] {
      var inner = try #require(
        (name == "outbox" ? record[name]?.object?["k"] : record[name])?.object)
      inner[member] = .integer(.max)
      record[name] = .object(name == "outbox" ? ["k": .object(inner)] : inner)
    }
    story.put(try #require(Self.read(record)))
    story.add(.refreshDeferred, data: ["attempt": 1])
    story.add(.challengeReceived, data: ["source": "offline"])
    story.add(.revocationFailed, data: ["outbox": "k", "retryAfter": 5])
    story.add(.credentialsLoaded, data: ["attempt": .integer(.min), "purpose": "login"])
    let state = try #require(story.state)
    #expect(state.deferral?.count == .max)
    #expect(state.passwordAttempts == .max)
    #expect(state.outbox["k"]?.tries == .max)
    #expect(state.savedUse?.unanswered == 0)
  }

  @Test func `the rows of a login are written as they always were`() throws {
    let story = Self.tell(7)
    let row = """
      {"added":1,"cause":2,"expires":2500,"generation":1,"intent":{"attempt":1,"deadline":5,\
      "generation":2,"position":3},"label":1,"method":"form","person":2,"position":3,\
      "renewed":{"boot":70,"wall":2000},"revision":3,"saved":false,"server":"https://b.example",\
      "session":"00000000000000050000000000000001","since":2000,"started":2000,"state":"active",\
      "used":2,"verified":2,"verifiedAt":2000}
      """
    let state = try #require(story.state)
    #expect(String(decoding: state.encoded, as: UTF8.self) == row)
    let session = try #require(story.fold.sessions[Story.session])
    #expect(
      String(decoding: session.encoded, as: UTF8.self) == """
        {"account":"000000000000000a0000000000000001","generation":1,"method":"form","position":3,\
        "started":2000,"state":"active"}
        """)
  }

  @Test func `a roster comes back through its bytes, with and without an account`() {
    var roster = Roster()
    for current in [nil, Story.account] {
      roster.current = current
      #expect(roster.encoded.withUnsafeBytes(Roster.init(decoding:)) == roster)
      #expect(roster.packed.withUnsafeBytes(Roster.init(packed:)) == roster)
    }
  }

  @Test func `an account that never logged in has a record too`() throws {
    var story = Story()
    story.add(.accountAdded, session: nil, data: ["method": "http", "server": "s"])
    let state = try #require(story.state)
    #expect(state.encoded.withUnsafeBytes(AccountState.init(decoding:)) == state)
    #expect(story.fold.sessions.isEmpty)
  }

  @Test(
    arguments: [
      "added", "cause", "generation", "method", "person", "position", "reason", "revision",
      "saved", "server", "since", "state", "used",
    ])
  func `a record that lacks a part is damage`(name: String) throws {
    var record = try Self.record(of: 4)
    #expect(Self.read(record) != nil)
    record[name] = nil
    #expect(Self.read(record) == nil)
    record[name] = .list([])
    #expect(Self.read(record) == nil)
  }

  @Test(
    arguments: [
      ("active", "expired"), ("offline", "user"), ("needsLogin", nil), ("ended", nil),
      ("sleeping", nil), ("uncertain", "refused"),
    ] as [(String, String?)])
  func `a state that contradicts its reason is damage`(state: String, reason: String?) throws {
    var record = try Self.record(of: 0)
    record["state"] = .text(state)
    record["reason"] = reason.map { .text($0) }
    #expect(Self.read(record) == nil)
  }

  @Test(arguments: ["account", "generation", "method", "position", "started", "state"])
  func `a session's record that lacks a part is damage`(name: String) throws {
    let whole = try #require(Self.tell(0).fold.sessions[Story.session])
    var record = try #require(Facts(decoding: whole.encoded))
    record[name] = nil
    #expect(record.encoded.withUnsafeBytes(SessionRecord.init(decoding:)) == nil)
  }
}
