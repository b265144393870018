internal import Gatebook
internal import GatebookEvents
internal import GatebookStore

/// Compares the stored states of accounts and sessions with what the events of their history say.
struct PresentCheck {
  private struct Name: Hashable {
    let part: String
    let name: [UInt8]
  }

  /// Their problems.
  private(set) var findings = HistoryFindings()
  /// Whether they could be compared.
  private(set) var result = HistoryVerdict.States.compared

  /// Compares them.
  ///
  /// - Parameters:
  ///   - check: The history, after its last event.
  ///   - book: The book.
  ///   - connection: The fleet.
  /// - Throws: `fleet` failures.
  init(
    _ check: HistoryCheck, _ book: BookID, _ connection: FleetConnection
  ) throws(GatebookError) {
    let stored = try Self.stored(check.head, book, connection)
    let head = check.head
    guard !stored.isEmpty || head.folded != 0 else {
      result = .none
      return
    }
    guard head.folded <= head.size else {
      result = .unknown
      findings.note(
        "The stored states are those after position \(head.folded), but the history ends at position "
          + "\(head.size).")
      return
    }
    let isOfOtherStart = check.start.map { $0.isReadable && $0.fold == nil } ?? false
    guard !isOfOtherStart, head.folded == 0 || head.folds == ShippedFold.version else {
      result = .otherVersion
      return
    }
    // States after a wrong event differ too, and that says nothing more.
    guard check.findings.firstBad.map({ $0 > head.folded }) ?? true, let folded = check.folded
    else {
      result = .unknown
      return
    }
    // A recovery loses accounts that the fleet has got states of before.
    compare(stored, folded, allowsMore: check.past?.isRecovered == true)
  }

  private static func stored(
    _ head: HistoryHead, _ book: BookID, _ connection: FleetConnection
  ) throws(GatebookError) -> [Name: [UInt8]] {
    let rows = try connection.run(
      "SELECT part, name, state FROM gatebook.state WHERE book = $1 AND branch = $2",
      .identity(book), .small(head.branch))
    var stored: [Name: [UInt8]] = [:]
    for index in 0..<rows.count {
      let row = rows[index]
      stored[Name(part: row.text(0), name: row.bytes(1))] = row.bytes(2)
    }
    return stored
  }

  private mutating func compare(
    _ stored: [Name: [UInt8]], _ folded: ShippedFold, allowsMore: Bool
  ) {
    var rest = stored
    var problems: [(Name, String)] = []
    for row in folded.rows {
      let name = Name(part: row.part, name: row.name)
      switch rest.removeValue(forKey: name) {
      case row.content: break
      case nil: problems.append((name, "is missing"))
      default: problems.append((name, "is not what the events say"))
      }
    }
    if !allowsMore { problems += rest.keys.map { ($0, "is there, but no event has made it") } }
    problems.sort { ($0.0.part, Hex.encode($0.0.name)) < ($1.0.part, Hex.encode($1.0.name)) }
    for (name, problem) in problems.prefix(HistoryFindings.maximum) {
      findings.note("The stored state of \(Self.text(name)) \(problem).")
    }
  }

  private static func text(_ name: Name) -> String {
    name.name.isEmpty ? "the \(name.part)" : "\(name.part) \(Hex.encode(name.name))"
  }
}
