import GatebookEvents
import Testing

@Suite struct SessionContextTests {
  @Test func `a context says what the fold knows and what the reader can see`() throws {
    let state = try #require(Story.loggedIn().state)
    let context = SessionContext(
      Story.account, state, isCurrent: true, label: .known("work"), loginName: .sealed,
      attributes: .known(UserAttributes(["firstName": "Ada"])))
    #expect(context.account == Story.account)
    #expect(context.method == "form")
    #expect(context.server == "https://b.example")
    #expect(context.state == .active)
    #expect(context.session == Story.session)
    #expect(context.generation == 1)
    #expect(context.since == Timestamp(rawValue: 2000))
    #expect(context.expiresAt == Timestamp(rawValue: 2500))
    #expect(context.user["firstName"] == "Ada")
    #expect(context.isRecorded)
    let unrecorded = context.unrecorded(lastVerified: Timestamp(rawValue: 7))
    #expect(unrecorded.state == .offline(lastVerified: Timestamp(rawValue: 7)))
    #expect(!unrecorded.isRecorded)
  }

  @Test(
    arguments: [
      (.active, "active", nil, true),
      (.offline(lastVerified: Timestamp(rawValue: 1)), "offline", nil, true),
      (.uncertain, "uncertain", nil, true), (.challenged, "challenged", nil, false),
      (.needsLogin(.expired), "needsLogin", .expired, false),
      (.ended(.user), "ended", .user, false),
    ] as [(SessionState, String, EndReason?, Bool)])
  func `each state has a name, its reason and an answer to whether it is usable`(
    state: SessionState, name: String, reason: EndReason?, isUsable: Bool
  ) {
    #expect(state.name == name)
    #expect(state.reason == reason)
    #expect(state.isUsable == isUsable)
  }
}
