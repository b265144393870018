import GatebookEvents

/// A log that a test writes event by event; each event is folded at once.
struct Story {
  private(set) var fold = BookFold()
  private(set) var position: Int64 = 0
  private var revisions: [AccountID?: Int64] = [:]

  static let account = AccountID(high: 0xA, low: 1)
  static let session = SessionID(high: 0x5, low: 1)

  /// The state of the account that the story is about.
  var state: AccountState? { fold.accounts[Self.account] }

  /// Takes the account's state from a row.
  mutating func put(_ state: AccountState) {
    fold.put(state, of: Self.account)
  }

  /// Forgets which rows changed, as a writer does once they are written.
  mutating func forgetChanges() {
    fold.forgetChanges()
  }

  /// Adds an event; its time is 1,000 µs for each position.
  mutating func add(
    _ kind: EventKind?, account: AccountID? = Story.account, session: SessionID? = Story.session,
    data: Facts = [:]
  ) {
    position += 1
    revisions[account, default: 0] += 1
    data.encoded.withUnsafeBytes { bytes in
      fold.apply(
        LogEntry(
          position: Position(rawValue: position), account: account,
          revision: revisions[account] ?? 0, session: session, kind: kind,
          at: Timestamp(rawValue: position * 1000), data: FactScanner(bytes)))
    }
  }

  /// An account that has just logged in: `account.added` and `login.succeeded`.
  static func loggedIn() -> Story {
    var story = Story()
    story.add(
      .accountAdded, session: nil,
      data: ["labelled": true, "method": "http", "server": "https://a.example"])
    story.add(
      .loginSucceeded,
      data: [
        "boot": 70, "generation": 1, "lifetime": 500, "method": "form",
        "server": "https://b.example",
      ])
    return story
  }
}
