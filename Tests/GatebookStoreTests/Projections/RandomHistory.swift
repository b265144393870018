import GatebookEvents
import GatebookTestSupport

@testable import GatebookStore

/// A long history of many accounts: plausible, implausible and late events in any order.
struct RandomHistory {
  private var random: SplitMix
  private let accounts: [AccountID]
  private var added: [AccountID] = []
  private var sessions: [AccountID: [SessionID]] = [:]
  private var nextSession: UInt64 = 1

  init(seed: UInt64, accounts count: Int) {
    random = SplitMix(seed: seed)
    accounts = (1...count).map { AccountID(high: 0xACC, low: UInt64($0)) }
  }

  /// The next events, to be appended together.
  mutating func append(upTo limit: Int) -> Append {
    var append = Append([])
    for _ in 0..<Int.random(in: 1...limit, using: &random) { addEvent(to: &append) }
    return append
  }

  mutating func position(upTo last: Int64) -> Position {
    Position(rawValue: Int64.random(in: 0...last, using: &random))
  }

  private mutating func addEvent(to append: inout Append) {
    let account = accounts.randomElement(using: &random) ?? accounts[0]
    guard added.contains(account) else {
      added.append(account)
      append.newAccounts.append(.init(id: account, lookups: []))
      append.events.append(
        ProposedEvent(
          .accountAdded, account: account,
          data: ["labelled": .bool(Bool.random(using: &random)), "method": "http", "server": "s"],
          personal: ["label": "x"]))
      return
    }
    if Int.random(in: 0..<10, using: &random) == 0 {
      append.events.append(ProposedEvent(.clockObserved, data: ["offset": 3]))
      return
    }
    let kind = EventKind.allCases.randomElement(using: &random) ?? .sessionVerified
    append.events.append(
      ProposedEvent(
        kind == .accountAdded ? .loginSucceeded : kind, account: account,
        session: session(of: account, kind), data: facts()))
  }

  /// Mostly the newest session; sometimes an older one, another's, or none.
  private mutating func session(of account: AccountID, _ kind: EventKind) -> SessionID? {
    if kind == .loginSucceeded || sessions[account] == nil {
      nextSession += 1
      sessions[account, default: []].append(SessionID(high: 0x5, low: nextSession))
    }
    switch Int.random(in: 0..<20, using: &random) {
    case 0: return nil
    case 1: return sessions[account]?.randomElement(using: &random)
    case 2: return SessionID(high: 0x5, low: UInt64.random(in: 0...nextSession, using: &random))
    default: return sessions[account]?.last
    }
  }

  private mutating func facts() -> Facts {
    var facts: Facts = [:]
    func maybe() -> Bool { Bool.random(using: &random) }
    if maybe() { facts["generation"] = .integer(Int64.random(in: 0...5, using: &random)) }
    if maybe() { facts["boot"] = .integer(Int64.random(in: 0...1_000_000, using: &random)) }
    if maybe() { facts["attempt"] = .integer(Int64.random(in: 1...2, using: &random)) }
    if maybe() { facts["deadline"] = .integer(Int64.random(in: 0...9, using: &random)) }
    if maybe() {
      facts["lifetime"] = .integer([0, 5, -5, .max].randomElement(using: &random) ?? 0)
    }
    if maybe() { facts["method"] = .text(["http", "form"].randomElement(using: &random) ?? "") }
    if maybe() {
      facts["reason"] = .text(EndReason.allCases.randomElement(using: &random)?.rawValue ?? "")
    }
    if maybe() {
      facts["by"] = .text(["user", "policy", "erase", "?"].randomElement(using: &random) ?? "")
    }
    if maybe() { facts["to"] = .text(accounts.randomElement(using: &random)?.description ?? "") }
    if maybe() { facts["text"] = "a\"b\\c\n{}[],:" }
    return facts
  }
}
