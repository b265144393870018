internal import Gatebook
internal import GatebookProxy

/// The requests that go through the agent, by account, until the book has recorded them.
struct AgentForwards: Sendable {
  private var ledgers: [AccountID: UseLedger] = [:]
  /// What the book could not take.
  private var kept: [AccountID: ProxyUse] = [:]

  /// Counts a request that is sent as an account.
  mutating func count(_ account: AccountID, _ program: CallingProgram?, at now: Moment) {
    let asking = program.map { AskingProgram(process: $0.process, name: $0.name) }
    ledgers[account, default: UseLedger()].forwards(asking, at: now)
  }

  /// Takes what is to be recorded by now, and what was to be recorded before.
  ///
  /// - Parameter now: The time on a clock that never jumps; `nil` takes everything.
  /// - Returns: What to record of each account.
  mutating func take(at now: Duration?) -> [AccountID: ProxyUse] {
    var taken: [AccountID: ProxyUse] = [:]
    for (account, ledger) in ledgers {
      guard let due = ledger.due, now.map({ due <= $0 }) ?? true else { continue }
      taken[account] = ledgers[account]?.take()
    }
    for account in now == nil ? Array(kept.keys) : Array(taken.keys) {
      guard let earlier = kept.removeValue(forKey: account) else { continue }
      taken[account, default: ProxyUse()].add(earlier)
    }
    return taken
  }

  /// Keeps what the book could not take.
  mutating func keep(_ use: ProxyUse, of account: AccountID) {
    kept[account, default: ProxyUse()].add(use)
  }
}
