package import Gatebook

/// A book of some weeks of five accounts, written at once.
///
/// It is for pictures, and for tests of what shows a book, and is the same every time, except for
/// its dates if an end is given.
package struct SampleBook {
  /// When it begins unless that is said.
  private static let usualStart = Timestamp(rawValue: 1_767_600_000_000_000)
  private static let places: [(server: String, method: String)] = [
    ("https://portal.example", "liferay-cookie"), ("https://id.example", "oidc"),
    ("https://id.example", "oidc"), ("https://mail.example:8443", "http"),
    ("https://mobile.example", "mobilefirst"),
  ]

  private let start: Timestamp
  private let end: Timestamp
  private let renewals: Int
  private let text: String?
  private var steps: [Step] = []
  private var random = SplitMix(seed: 7)

  /// What is written together.
  private struct Step {
    let at: Timestamp
    let append: Append
  }

  private init(start: Timestamp, days: Int, renewals: Int, text: String?) {
    self.start = start
    end = start + .seconds(days * 86_400)
    self.renewals = renewals
    self.text = text
  }

  /// Writes a book where none is.
  ///
  /// - Parameters:
  ///   - path: Where.
  ///   - key: Where its key file is made.
  ///   - end: When it ends; `nil` for the same time always.
  ///   - days: How long it is.
  ///   - renewals: How many renewals are made where one would do: more make a longer book.
  ///   - text: A server's text, used wherever one is possible.
  /// - Throws: Storage failures.
  package static func make(
    at path: String, key: String, end: Timestamp? = nil, days: Int = 30, renewals: Int = 1,
    text: String? = nil
  ) async throws(GatebookError) {
    let start = end.map { $0 - .seconds(days * 86_400) } ?? usualStart
    let clock = FixedClock(Moment(wall: start, boot: .seconds(60)))
    let store = try await EventStore.open(
      at: path, key: KeyFile(path: key),
      program: Program(
        name: "mail", version: "2.1", installation: InstallationID(high: 1, low: 1)),
      clock: clock, random: SeededRandom(), wait: .seconds(10))
    var book = SampleBook(start: start, days: days, renewals: renewals, text: text)
    for place in places.indices { book.live(at: place) }
    book.guess()
    for step in book.steps.sorted(by: { $0.at < $1.at }) {
      clock.set(Moment(wall: step.at, boot: .seconds(60) + (step.at - start)))
      _ = try await store.append(step.append)
    }
    await store.close()
  }

  // MARK: Accounts

  private mutating func live(at place: Int) {
    let account = identity() as AccountID
    var at = start + hours(1...60)
    var isKnown = false
    while at < end {
      let session = identity() as SessionID
      logIn(account, session, at: at, place: place, isNew: !isKnown)
      isKnown = true
      let over = min(at + hours(40...190), end)
      renew(account, session, from: at, to: over)
      guard over < end else { return }
      leave(account, session, at: over)
      at = over + hours(1...30)
    }
  }

  private mutating func logIn(
    _ account: AccountID, _ session: SessionID, at moment: Timestamp, place: Int, isNew: Bool
  ) {
    let (server, method) = Self.places[place]
    let clear: Facts = ["method": .text(text ?? method), "server": .text(text ?? server)]
    event(.loginStarted, nil, session, at: moment + .seconds(-4), clear)
    if isOnce(in: 4) {
      event(
        .loginFailed, nil, session, at: moment + .seconds(-2),
        ["code": "credentials.refused", "server": .text(server), "status": 401])
    }
    var append = Append([])
    if isNew {
      append.newAccounts = [Append.NewAccount(id: account, lookups: [])]
      append.events.append(
        ProposedEvent(
          .accountAdded, account: account, session: session, data: clear,
          personal: ["user": "ada", "userID": "1"]))
    }
    append.events.append(
      ProposedEvent(
        .loginSucceeded, account: account, session: session,
        data: [
          "boot": 60_000_000, "evidence": "check", "generation": 1,
          "method": .text(text ?? method), "server": .text(text ?? server),
        ], personal: ["user": "ada"]))
    add(append, at: moment)
  }

  private mutating func renew(
    _ account: AccountID, _ session: SessionID, from start: Timestamp, to end: Timestamp
  ) {
    var at = start + hours(2...4)
    var generation: Int64 = 1
    while at < end {
      if isOnce(in: 12) {
        resume(account, session, at: at, until: min(at + hours(3...20), end))
      } else if isOnce(in: 25) {
        event(
          .refreshDeferred, account, session, at: at,
          ["code": "network.unreachable", "retryAfter": 300_000_000])
      } else if isOnce(in: 20) {
        let asked: Facts = ["check": "PIN", "remaining": 2]
        event(.challengeReceived, account, session, at: at, asked)
        event(
          .challengeAnswered, account, session, at: at + hours(1...2), ["check": "PIN"])
      } else {
        succeed(account, session, at: at, generation)
        generation += Int64(renewals)
      }
      at = at + hours(1...5)
    }
  }

  private mutating func succeed(
    _ account: AccountID, _ session: SessionID, at moment: Timestamp, _ generation: Int64
  ) {
    var append = Append([])
    for next in generation..<generation + Int64(renewals) {
      append.events += [
        ProposedEvent(
          .refreshStarted, account: account, session: session,
          data: ["attempt": 1, "generation": .integer(next), "trigger": "early"]),
        ProposedEvent(
          .refreshSucceeded, account: account, session: session,
          data: ["boot": 60_000_000, "generation": .integer(next + 1)]),
      ]
    }
    add(append, at: moment)
  }

  private mutating func resume(
    _ account: AccountID, _ session: SessionID, at moment: Timestamp, until end: Timestamp
  ) {
    event(.sessionRestored, account, session, at: moment, ["evidence": "log"])
    event(.sessionVerified, account, session, at: end + .seconds(-60), [:])
  }

  private mutating func leave(
    _ account: AccountID, _ session: SessionID, at moment: Timestamp
  ) {
    guard isOnce(in: 3) else {
      return event(
        .sessionEnded, account, session, at: moment,
        [
          "code": "token.refused", "reason": "refused",
          "serverCode": .text(text ?? "invalid_grant"),
        ])
    }
    event(.logoutRequested, account, session, at: moment, ["by": "user"])
  }

  /// Six wrong passwords for a name that no account has.
  private mutating func guess() {
    for number in 0..<6 {
      let at = start + .seconds(26 * 3_600 + 20 * number)
      event(
        .loginFailed, nil, identity(), at: at,
        [
          "code": "credentials.refused", "method": "http", "name": "5e0c",
          "server": "https://mail.example:8443", "status": 401,
        ])
    }
  }

  private mutating func event(
    _ kind: EventKind, _ account: AccountID?, _ session: SessionID, at moment: Timestamp,
    _ data: Facts
  ) {
    add(
      Append([ProposedEvent(kind, account: account, session: session, data: data)]), at: moment)
  }

  private mutating func add(_ append: Append, at moment: Timestamp) {
    steps.append(Step(at: moment, append: append))
  }

  // MARK: Chance

  private mutating func isOnce(in count: UInt64) -> Bool { random.next() % count == 0 }

  /// Between so many and so many hours, to the minute.
  private mutating func hours(_ range: ClosedRange<Int>) -> Duration {
    .seconds((range.lowerBound * 60 + Int(random.next() % UInt64(range.count * 60))) * 60)
  }

  private mutating func identity<ID: Identity>() -> ID {
    ID(high: random.next(), low: random.next())
  }
}
