public import Gatebook

/// What a verification of a fleet found.
public struct FleetVerdict: Hashable, Sendable {
  /// The histories, in the order of their machines' names, then of the books.
  ///
  /// Those that only the given ``FleetHeads`` have come last.
  public internal(set) var histories: [HistoryVerdict]
  /// Books that have rows in the fleet, and no history: somebody added them.
  public internal(set) var unknownBooks: [BookID]
  /// The servers that did not answer, and may have more of what was to be verified: the histories
  /// there were not verified.
  public internal(set) var missing: [MissingServer] = []
  /// Whether nothing is wrong with what was verified: see also ``missing``.
  public var ok: Bool { unknownBooks.isEmpty && histories.allSatisfy(\.ok) }

  init(histories: [HistoryVerdict], unknownBooks: [BookID]) {
    self.histories = histories
    self.unknownBooks = unknownBooks
  }

  /// The heads of the histories that agree, to keep outside of the fleet.
  ///
  /// - Parameter former: Heads that were kept before. One of a history that was not verified, does
  ///   not agree, or has no root now stays as it is.
  /// - Returns: The heads.
  public func heads(keeping former: FleetHeads? = nil) -> FleetHeads {
    let agreeing = histories.filter { $0.ok && $0.isHistory }.map { history in
      let kept = former?.head(of: history.book, branch: history.branch)
      return history.root == nil && kept?.root != nil ? kept ?? history.head : history.head
    }
    return FleetHeads((former?.heads ?? []) + agreeing)
  }
}

extension HistoryVerdict {
  /// Its head as it was found.
  fileprivate var head: FleetHeads.Head {
    FleetHeads.Head(
      book: book, branch: branch, machine: machine, key: key, size: size, root: root)
  }
}
