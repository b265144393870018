import GatebookEvents
import Testing

@Suite struct BookFoldTests {
  private static let other = AccountID(high: 0xA, low: 2)
  private static let next = SessionID(high: 0x5, low: 2)

  @Test func `a switch makes an account current, one without a target none`() {
    var story = Story.loggedIn()
    #expect(story.fold.roster.current == nil)
    #expect(!story.fold.changes.roster)
    story.add(.accountSwitched, data: ["to": .text(Story.account.description)])
    #expect(story.fold.roster.current == Story.account)
    #expect(story.fold.changes.roster)
    story.add(.accountSwitched, data: ["from": .text(Story.account.description)])
    #expect(story.fold.roster.current == nil)
  }

  @Test func `accounts are islands`() throws {
    var story = Story.loggedIn()
    story.add(.accountAdded, account: Self.other, session: nil, data: ["method": "form"])
    let before = try #require(story.state)
    story.add(.loginSucceeded, account: Self.other, session: Self.next, data: ["generation": 1])
    story.add(.logoutRequested, account: Self.other, session: Self.next)
    // Even a stray event under the other's session stays on its own island.
    story.add(.sessionEnded, account: Self.other, session: Story.session)
    #expect(story.state == before)
    #expect(story.fold.accounts[Self.other]?.state == .ended(.user))
  }

  @Test func `a new login replaces the session that was still usable`() throws {
    var story = Story.loggedIn()
    story.add(.loginSucceeded, session: Self.next, data: ["generation": 1])
    let former = try #require(story.fold.sessions[Story.session])
    #expect(former.state == "ended")
    #expect(former.reason == .replaced)
    #expect(former.ended == Timestamp(rawValue: 3000))
    #expect(former.position == Position(rawValue: 3))
    let session = try #require(story.fold.sessions[Self.next])
    #expect(session.state == "active")
    #expect(session.started == Timestamp(rawValue: 3000))
    #expect(session.ended == nil)
  }

  @Test func `a session's record is as of the session's own last event`() throws {
    var story = Story.loggedIn()
    story.add(.sessionVerified)
    let record = try #require(story.fold.record(of: Story.session))
    #expect(record.position == Position(rawValue: 3))
    story.forgetChanges()
    story.add(.attributesChanged, session: nil)
    story.add(.sessionVerified, session: Self.next)
    var state = try #require(story.state)
    #expect(state.position == Position(rawValue: 5))
    #expect(story.fold.record(of: Story.session) == record)
    #expect(story.fold.changes.sessions.isEmpty)
    story.add(.sessionVerified)
    let next = try #require(story.fold.record(of: Story.session))
    #expect(next.position == Position(rawValue: 6))
    #expect(story.fold.changes.sessions == [Story.session])
    // A row that is put in says nothing of the session's record.
    state.generation = 9
    story.put(state)
    #expect(story.fold.sessions == [Story.session: next])
  }

  @Test func `of two accounts that name a session the one with its last event says what it is`()
    throws
  {
    var story = Story.loggedIn()
    story.add(.accountAdded, account: Self.other, session: nil, data: ["method": "form"])
    story.add(.loginSucceeded, account: Self.other, data: ["generation": 7])
    #expect(story.fold.record(of: Story.session)?.account == Self.other)
    story.add(.attributesChanged, session: nil)
    #expect(story.fold.record(of: Story.session)?.generation == 7)
    story.add(.sessionVerified)
    #expect(story.fold.record(of: Story.session)?.account == Story.account)
    story.add(.attributesChanged, account: Self.other, session: nil)
    #expect(story.fold.record(of: Story.session)?.generation == 1)
  }

  @Test func `a new login leaves the end of an ended session as it was`() throws {
    var story = Story.loggedIn()
    story.add(.sessionExpired)
    let former = try #require(story.fold.sessions[Story.session])
    #expect(former.reason == .expired)
    story.add(.loginSucceeded, session: Self.next, data: ["generation": 1])
    #expect(story.fold.sessions[Story.session] == former)
  }

  @Test(arguments: [
    [EventKind.logoutRequested], [.logoutRequested, .logoutRequested],
    [.logoutRequested, .accountErased], [.accountErased],
  ])
  func `what comes to an account later changes no session's own end`(
    _ later: [EventKind]
  ) throws {
    // An erasure is of a session where it has logged that out itself.
    let isOfSession = later.first == .logoutRequested
    var story = Story.loggedIn()
    story.add(.sessionEnded, data: ["reason": "revokedByServer"])
    let ended = try #require(story.fold.sessions[Story.session]?.ended)
    for kind in later {
      story.add(kind, session: isOfSession ? Story.session : nil, data: ["by": "user"])
    }
    let session = try #require(story.fold.sessions[Story.session])
    #expect(session.reason == .revokedByServer)
    #expect(session.ended == ended)
    #expect(session.state == (isOfSession ? "ended" : "needsLogin"))
    let isErased = later.contains(.accountErased)
    #expect(story.state?.state == .ended(isErased ? .erased : .user))
    story.add(.loginSucceeded, session: Self.next, data: ["generation": 1])
    #expect(story.fold.sessions[Story.session] == session)
    if !isErased { #expect(story.state?.end == nil) }
  }

  @Test func `a late event of a replaced session does not revive it`() throws {
    var story = Story.loggedIn()
    story.add(.loginSucceeded, session: Self.next, data: ["generation": 1])
    let before = story.fold.sessions
    let state = try #require(story.state)
    story.add(.refreshSucceeded, data: ["generation": 5])
    #expect(story.fold.sessions == before)
    #expect(story.state?.session == Self.next)
    #expect(story.state?.generation == state.generation)
    #expect(story.state?.state == .active)
  }

  @Test func `events of an account that was never added make no account`() {
    var story = Story()
    story.add(.loginSucceeded, data: ["generation": 1])
    #expect(story.fold.accounts.isEmpty)
    #expect(story.fold.sessions.isEmpty)
  }

  @Test func `events of the book's own stream change no account`() {
    var story = Story.loggedIn()
    let before = story.fold.accounts
    story.add(.bookOpened, account: nil, session: nil)
    story.add(.loginFailed, account: nil)
    #expect(story.fold.accounts == before)
  }

  @Test func `only rows that an event touches are named as changed`() {
    var story = Story.loggedIn()
    story.add(.accountAdded, account: Self.other, session: nil)
    #expect(story.fold.changes.accounts == [Story.account, Self.other])
    #expect(story.fold.changes.sessions == [Story.session])
    let all = BookFold.Changes(all: story.fold)
    #expect(all.accounts == story.fold.changes.accounts)
    #expect(all.sessions == story.fold.changes.sessions)
    #expect(!all.roster, "a rebuild must not make a row that no switch asked for")
  }
}
