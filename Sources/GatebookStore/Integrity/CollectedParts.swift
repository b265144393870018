internal import GatebookCrypto
internal import GatebookEvents

/// Puts the verified parts together: the root over all of them, and everything that is wrong.
struct CollectedParts {
  private(set) var findings = Findings()
  /// Summaries of events that the events do not make; where anything else is wrong they are what
  /// follows from it.
  private(set) var summaries: [String] = []
  private(set) var root = ""
  /// Whether the events make the roots that were kept.
  private(set) var agreesWithRoot = true
  private let hash = SHA256()
  private var frontier = Frontier()
  private var entries = IndexEntries()
  // Subtrees that are larger than a part; the smaller ones were compared there.
  private var large: [Frontier.Subtree] = []
  private var streams = StreamRuns()

  /// Begins with the tree over events that are in no part.
  init(after former: Frontier = Frontier()) {
    frontier = former
  }

  mutating func add(_ part: VerifiedPart) {
    findings.add(part.findings)
    summaries += part.summaries
    entries.add(part.entries)
    if let others = part.streams { streams.add(others) }
    guard !part.isWhole else {
      frontier = part.frontier
      return
    }
    frontier.append(part.frontier, hash) { large.append($0) }
  }

  /// Compares with the head and the stored subtrees.
  mutating func finish(size: Int64, root stored: String, _ reader: BookReader) {
    root = Hex.encode(frontier.root(hash).bytes)
    do throws(GatebookError) {
      try checkHead(size, stored, reader)
      // A tree with a hole in it has no subtrees to compare.
      if findings.firstBad == nil { try checkSubtrees(size, reader) }
      if try reader.hasRollups(), try BlockRows(reader.connection).hasStrangers() {
        summaries.append(
          "There are indexes of events that are not in the log: its end may have been cut off."
        )
      }
    } catch {
      findings.note(error.finding)
    }
  }

  private mutating func checkHead(
    _ size: Int64, _ stored: String, _ reader: BookReader
  ) throws(GatebookError) {
    agreesWithRoot = root == stored
    if root != stored, findings.problems.isEmpty {
      findings.note("The root of the events is not the one in the book's head.")
    }
    // The next append grows the tree from the stored frontier, so it must make the stored root.
    if try LogHead(reader.connection) == nil {
      findings.note("The frontier in the book's head does not match its root.")
    }
    let behind = try reader.connection.integer(
      "SELECT count(*) FROM event WHERE position > (SELECT size FROM head) OR position < 1")
    if behind > 0 {
      findings.note("There are events after the end of the log.", earliestAt: size + 1)
    }
  }

  /// Compares the large stored subtrees, and refuses rows without events: a proof would trust them.
  private mutating func checkSubtrees(
    _ size: Int64, _ reader: BookReader
  ) throws(GatebookError) {
    let tree = PartialTree(reader.connection)
    for subtree in large
    where try tree.subtree(subtree.level, subtree.number) != subtree.root {
      let first = subtree.number << subtree.level + 1
      findings.note("The stored root of the events from \(first) on differs.", earliestAt: first)
    }
    // Rows that a writer adds meanwhile cover events after `size`.
    let rows = try reader.connection.integer(
      """
      SELECT count(*) FROM subtree
      WHERE level IN (8, 16, 24, 32, 40, 48, 56) AND number >= 0 AND number < ?1 >> level
      """, size)
    let isWhole = rows == stride(from: 8, through: 56, by: 8).reduce(0) { $0 + size >> Int64($1) }
    let strange = try reader.connection.integer(
      """
      SELECT count(*) FROM subtree
      WHERE level NOT IN (8, 16, 24, 32, 40, 48, 56) OR number < 0
        OR number >= (SELECT size FROM head) >> level
      """)
    if !isWhole || strange > 0 { findings.note("The stored subtrees do not belong to the log.") }
  }

  /// Compares the events with the entries of their indexes.
  mutating func compare(with scan: IndexScan) {
    findings.add(scan.findings)
    // Where events are missing, or cannot be read, the indexes are what is left over.
    guard findings.firstBad == nil, scan.findings.problems.isEmpty else { return }
    if scan.entries.ids != entries.ids {
      findings.note("The index of ids does not match the events.")
    }
    if scan.entries.streams != entries.streams {
      findings.note("The index of accounts does not match the events.")
    }
  }

  /// Counts an account's events; each must have the number that its place gives it.
  mutating func stream(
    of account: AccountID, upTo end: Int64, _ indexes: IndexScan, _ reader: BookReader
  ) -> VerifiedStream {
    var events: Int64 = 0
    do throws(GatebookError) {
      if let number = try reader.stream(of: account) {
        events = try reader.connection.integer(
          "SELECT count(*) FROM event WHERE account = ?1 AND position <= ?2", number, end)
        if let gap = indexes.gaps[number] {
          findings.note(
            "The numbers of the account's events have a gap, from position \(gap) on.",
            earliestAt: gap)
        }
      }
    } catch {
      findings.note(error.finding)
    }
    return VerifiedStream(account: account, events: events)
  }

  /// Checks that the events of each account in the parts continue those before them.
  ///
  /// - Parameters:
  ///   - start: The last event before the parts.
  ///   - reader: The book.
  mutating func checkStreams(after start: Int64, _ reader: BookReader) {
    // Where events are missing their numbers are too.
    guard findings.firstBad == nil else { return }
    do throws(GatebookError) {
      guard let gap = try streams.firstGap(after: start, reader.connection) else { return }
      findings.note(
        "The numbers of an account's events have a gap, from position \(gap) on.", earliestAt: gap)
    } catch {
      findings.note(error.finding)
    }
  }

  /// Takes what indexes must hold of events that are in no part.
  mutating func add(_ entries: IndexEntries) { self.entries.add(entries) }

  /// Takes what others found.
  mutating func add(_ findings: Findings) { self.findings.add(findings) }

  /// Compares with a checkpoint: the root over its size must be the one it was signed with.
  mutating func compare(with checkpoint: Checkpoint, _ reader: BookReader) throws(GatebookError) {
    guard checkpoint.size <= frontier.size else {
      let found = (try? reader.connection.integer("SELECT max(position) FROM event")) ?? 0
      let end = max(found, (try? Baseline.read(reader.connection))??.floor ?? 0)
      return findings.note(
        end < checkpoint.size
          ? "The book ends at position \(end), but the checkpoint covers \(checkpoint.size) events."
          : "Not all of the \(checkpoint.size) events that the checkpoint covers can be read.",
        earliestAt: frontier.size + 1)
    }
    let root = try PartialTree(reader.connection).root(of: checkpoint.size)
    guard root != checkpoint.root else { return }
    if root == nil, findings.problems.isEmpty, let baseline = try Baseline.read(reader.connection),
      baseline.isRecovered, checkpoint.size <= baseline.floor
    {
      throw GatebookError(
        .configurationInvalid,
        "The checkpoint ends among events that were partly lost before the recovery. It is not possible "
          + "to tell whether the first \(checkpoint.size) events are the ones that it covers.",
        remedy: "Give a checkpoint that was made after the recovery.")
    }
    agreesWithRoot = false
    findings.note(
      "The first \(checkpoint.size) events are not the ones that the checkpoint covers.")
  }
}
