internal import GatebookEvents

/// The last numbers that the events of accounts have: each account's must follow each other in the
/// order of positions.
struct StreamOrder {
  /// What is demanded of the next number of an account.
  enum Rule {
    /// It is one more, and the first one is 1.
    case strict
    /// It is one more; an account that was not met may begin with any.
    case open
    /// It is greater: events between are lost.
    case rising
  }

  private var last: [AccountID: Int64] = [:]
  /// That of the book's own stream.
  private var own: Int64?
  /// What is demanded now.
  private(set) var rule = Rule.strict

  /// Makes one that has met no account.
  init() {}

  /// Takes the next event.
  ///
  /// - Parameters:
  ///   - revision: Its number.
  ///   - account: Whose stream it belongs to; `nil` for the book's own.
  /// - Returns: Whether it follows.
  mutating func takes(_ revision: Int64, of account: AccountID?) -> Bool {
    let former: Int64?
    if let account {
      former = last.updateValue(revision, forKey: account)
    } else {
      former = own
      own = revision
    }
    switch rule {
    case .strict: return revision == (former ?? 0) &+ 1
    case .open: return former == nil ? revision > 0 : revision == (former ?? 0) &+ 1
    case .rising: return revision > former ?? 0
    }
  }

  /// Sets the last number of a stream, as the state has it that a book continues from.
  ///
  /// - Parameters:
  ///   - account: `nil` for the book's own stream.
  ///   - revision: The number.
  mutating func set(_ account: AccountID?, to revision: Int64) {
    if let account { last[account] = revision } else { own = revision }
  }

  /// From here on events are lost.
  mutating func loosen() { rule = .rising }

  /// Forgets all numbers: after a recovery they are counted from what was found.
  mutating func reopen() {
    last.removeAll(keepingCapacity: true)
    own = nil
    rule = .open
  }
}
