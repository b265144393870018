internal import Gatebook

/// The heads that a verification compares, and what it finds of those without a history.
struct KeptHeads {
  /// All that were given.
  let given: FleetHeads
  /// Those that the verification is about.
  private let wanted: [FleetHeads.Head]

  /// Chooses those of some books.
  ///
  /// - Parameters:
  ///   - given: All of them.
  ///   - name: A machine's name, or a book's identity or the beginning of one of at least four
  ///     digits; `nil` for all.
  ///   - branch: Only this history of each book; `nil` for all.
  init(_ given: FleetHeads, named name: String?, branch: Int?) {
    self.given = given
    wanted = given.heads.filter { head in
      (branch == nil || head.branch == branch)
        && (name.map { Self.is($0, the: head) } ?? true)
    }
  }

  private static func `is`(_ name: String, the head: FleetHeads.Head) -> Bool {
    head.machine == name
      || name.utf8.count >= 4 && head.book.description.hasPrefix(name.lowercased())
  }

  /// Whether none is of the books that are verified.
  var isEmpty: Bool { wanted.isEmpty }

  /// Says in a verdict which histories are not in the fleet any more.
  ///
  /// - Parameters:
  ///   - verdict: The verdict about the histories that are there.
  ///   - parts: The numbers of the parts on servers that do not answer: a history there may be
  ///     whole.
  ///   - access: The fleet.
  /// - Throws: `fleet` failures.
  func complete(
    _ verdict: inout FleetVerdict, besides parts: [Int64], _ access: FleetAccess
  ) throws(GatebookError) {
    let found = Set(
      verdict.histories.filter(\.isHistory).map { [$0.book.description, "\($0.branch)"] })
    var missing = wanted.filter { !found.contains([$0.book.description, "\($0.branch)"]) }
    guard !missing.isEmpty else { return }
    let there = try Self.present(
      missing.map(\.book), besides: parts, try FleetConnection.open(access))
    missing.removeAll { head in
      guard let branches = there[head.book] else { return true }
      return branches.contains(head.branch)
    }
    for head in missing {
      let place = verdict.histories.firstIndex { $0.book == head.book && $0.branch == head.branch }
      if let place {
        verdict.histories[place].problems.append(Self.problem(head))
      } else {
        var history = HistoryVerdict(
          book: head.book, branch: head.branch, machine: head.machine, size: 0)
        history.isHistory = false
        history.known = head.size
        history.problems = [Self.problem(head)]
        verdict.histories.append(history)
      }
    }
  }

  /// The branches of the books whose servers answer.
  private static func present(
    _ books: [BookID], besides parts: [Int64], _ connection: FleetConnection
  ) throws(GatebookError) -> [BookID: Set<Int>] {
    var present: [BookID: Set<Int>] = [:]
    let reachable = try connection.run(
      """
      SELECT DISTINCT k.book FROM unnest($1::uuid[]) k (book) WHERE NOT EXISTS (
        SELECT FROM unnest($2::integer[]) part
        WHERE satisfies_hash_partition('gatebook.branch'::regclass, 64, part, k.book))
      """, .identities(books), .integers(parts)
    ).map { (row) -> BookID? in row.identity(0) }.compactMap(\.self)
    for book in reachable { present[book] = [] }
    let rows = try connection.run(
      "SELECT book, branch FROM gatebook.branch WHERE book = ANY($1::uuid[])",
      .identities(reachable))
    for index in 0..<rows.count {
      guard let book: BookID = rows[index].identity(0) else { continue }
      present[book]?.insert(Int(rows[index].integer(1)))
    }
    return present
  }

  private static func problem(_ head: FleetHeads.Head) -> String {
    "The kept head has \(head.size) events of this history, but the fleet has no such history: somebody "
      + "removed it, or the role may not read it."
  }
}
