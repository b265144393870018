internal import GatebookCrypto
internal import GatebookEvents
internal import GatebookStore

/// Compares a history with a head of it that was kept outside of the fleet.
struct KeptHeadCheck {
  private let kept: FleetHeads.Head
  private var hasAgreed = false
  private var hasDiffered = false
  /// Whether the fleet stores another root of as many events.
  private var isStoredOtherwise = false
  /// Whether the fleet forgot the last event of the head, so that its root cannot be computed.
  private(set) var isForgotten = false
  private(set) var findings = HistoryFindings()

  /// Makes a comparison that has seen nothing.
  init(_ kept: FleetHeads.Head) { self.kept = kept }

  /// How many events the head has.
  var size: Int64 { kept.size }

  /// Compares the tree over as many events; one that agrees is enough.
  ///
  /// After a recovery there may be two: that of the fleet's events, and that of the book.
  mutating func compare(_ tree: ShippedTree?) {
    guard let tree, let root = kept.root else { return }
    if Hex.encode(tree.root) == root { hasAgreed = true } else { hasDiffered = true }
  }

  /// Takes a head that is stored in the fleet.
  mutating func see(_ head: StoredHead) {
    guard head.size == kept.size, let root = head.root, let known = kept.root else { return }
    if Hex.encode(root.bytes) != known { isStoredOtherwise = true }
  }

  /// Ends the comparison after the last event.
  ///
  /// - Parameters:
  ///   - head: The history.
  ///   - key: The public key that it names.
  mutating func finish(_ head: HistoryHead, key: [UInt8]?) {
    if let known = kept.key, key.map({ Hex.encode($0) }) != known {
      findings.note(
        "The history names another checkpoint key than the kept head has: somebody replaced it and "
          + "signed it again.")
    }
    if head.size < kept.size {
      findings.note(
        at: head.size + 1,
        "The history ends at position \(head.size), but the kept head has \(kept.size) events: the last "
          + "ones were removed.")
    } else if kept.root == nil || hasAgreed {
      // Nothing differs.
    } else if hasDiffered {
      findings.note(differs)
    } else if kept.size < head.forgotten {
      isForgotten = true
      if isStoredOtherwise { findings.note(differs) }
    } else {
      findings.note(
        "The root of the first \(kept.size) events cannot be compared with the kept head: events before "
          + "it are missing, or count as lost.")
    }
  }

  private var differs: String {
    "The first \(kept.size) events are not those of the kept head: their root differs."
  }
}
