internal import Gatebook
internal import GatebookCrypto
internal import GatebookStore

/// Compares the heads of a history with its tree while that grows.
///
/// All roots come from one growing tree: heads that agree with it are consistent with each other.
struct HeadComparison {
  private let book: BookID
  /// Up to here the shipper may not have known the root.
  private let floor: Int64
  /// The last event before the history.
  private let start: Int64
  /// The last event that the fleet forgot: earlier heads can be compared with nothing.
  private let forgotten: Int64
  private var waiting: ArraySlice<StoredHead> = []
  /// The heads since the last one that agreed.
  private var differing: [Int64] = []
  /// The size of the last head that agreed, or where the tree begins.
  private var agreed: Int64
  private var hasAgreed = false
  /// The size of the last head that agreed and is signed by the book's key.
  private(set) var covered: Int64?
  private(set) var findings = HistoryFindings()

  init(_ book: BookID, _ head: HistoryHead) {
    self.book = book
    floor = head.floor
    start = head.start
    forgotten = head.forgotten
    agreed = head.start
  }

  /// The size of the next head; beyond all sizes while there is none.
  var next: Int64 { waiting.first?.size ?? .max }

  /// Takes the heads that follow.
  mutating func expect(_ heads: [StoredHead]) { waiting += heads }

  /// Compares all heads up to a size.
  ///
  /// - Parameters:
  ///   - size: How many events there are so far.
  ///   - tree: The tree over them; `nil` where it cannot be known.
  ///   - key: The book's public key; `nil` while no event has named it.
  /// - Returns: Whether one of this size agrees.
  mutating func compare(upTo size: Int64, _ tree: ShippedTree?, _ key: [UInt8]?) -> Bool {
    var agrees = false
    while let head = waiting.first, head.size <= size {
      waiting.removeFirst()
      if head.size < start, head.size >= forgotten {
        findings.note(
          "A head of \(head.size) events is stored, but the history begins after position \(start)."
        )
      }
      if compare(head, head.size == size ? tree : nil, key) { agrees = true }
    }
    return agrees
  }

  /// Compares one head.
  ///
  /// - Returns: Whether its root is that of the tree.
  mutating func compare(_ head: StoredHead, _ tree: ShippedTree?, _ key: [UInt8]?) -> Bool {
    let signed = head.checkpoint.map { read($0, of: head, key) }
    guard let tree else { return false }
    guard let root = head.root else {
      if head.size > floor { findings.note("The head of size \(head.size) has no root.") }
      return false
    }
    guard tree.rootDigest == root else {
      // Another head of this size has agreed: then the events are right.
      if hasAgreed, head.size == agreed {
        note(wrongRootAt: head.size)
      } else if differing.count < HistoryFindings.maximum {
        differing.append(head.size)
      }
      return false
    }
    // The events are those of this head, so only what was stored of the earlier ones is wrong.
    for size in differing { note(wrongRootAt: size) }
    differing = []
    hasAgreed = true
    agreed = head.size
    if signed == true { covered = head.size }
    return true
  }

  private mutating func note(wrongRootAt size: Int64) {
    findings.note("The stored root of the first \(size) events is not theirs.")
  }

  /// Reads a note, which must be of its head and signed by the book's key.
  private mutating func read(_ note: String, of head: StoredHead, _ key: [UInt8]?) -> Bool {
    let name = "The checkpoint of the first \(head.size) events"
    guard let key else {
      findings.note("\(name) cannot be checked: no event names the book's key.")
      return false
    }
    do throws(GatebookError) {
      let checkpoint = try Checkpoint(note: note, of: book, signedBy: key)
      guard checkpoint.size == head.size, checkpoint.root == head.root else {
        findings.note("\(name) is of another size or root.")
        return false
      }
      return true
    } catch {
      findings.note(
        error.code == .storageDamaged
          ? "\(name) is not of this book, or not signed by its key."
          : "\(name) is not a signed note.")
      return false
    }
  }

  /// The tree begins again with another one: earlier heads tell nothing of it.
  mutating func restart(at size: Int64) {
    settle(nil)
    agreed = size
    hasAgreed = false
  }

  /// Ends the comparison.
  ///
  /// - Parameters:
  ///   - size: How many events the history has.
  ///   - bad: The first event that is known to be wrong.
  mutating func finish(size: Int64, firstBad bad: Int64?) {
    for head in waiting where head.size > size {
      findings.note(
        "A head of \(head.size) events is stored, but the history ends at position \(size).")
    }
    waiting = []
    settle(bad)
  }

  /// Says of heads that no later one corrects that their events differ.
  private mutating func settle(_ bad: Int64?) {
    guard let first = differing.first else { return }
    differing = []
    let problem =
      "The events from \(agreed + 1) to \(first) do not give the root that was stored: one of them was "
      + "changed, removed or added."
    // The position of a wrong event says more.
    if let bad, agreed < bad, bad <= first {
      findings.note(problem)
    } else {
      findings.note(at: min(agreed + 1, first), problem)
    }
  }
}
