internal import CSQLite
internal import GatebookCrypto
public import GatebookEvents
internal import GatebookSystem

/// Verifies a book: it computes every leaf, every stored subtree and the root again, in parallel.
///
/// It needs no key and never writes. With the key it also checks encrypted data that no hash
/// covers.
public struct BookVerifier: Sendable {
  let path: String
  private static let chunk: Int64 = 65_536
  /// More at a time would only fight for the disk.
  private static let workers = 4
  private static let maximumProblems = 20

  /// Makes a verifier for the book at a path.
  public init(path: String) {
    self.path = path
  }

  /// Verifies the book as it is now.
  ///
  /// - Parameters:
  ///   - note: A checkpoint that was kept elsewhere, as `checkpoint` wrote it.
  ///   - archive: The archive that the book continues; it is verified too. `nil`: archived events
  ///     are not checked.
  ///   - account: The account whose events are counted and checked for gaps; `nil` for none.
  ///   - key: Decrypts data that no hash of the log covers: see ``VerifiedSecrets``. With `nil`, or
  ///     a key that is not available, that data is not checked.
  ///   - progress: Called with the number of verified events and the total.
  /// - Returns: The verdict; damage is not an error but a verdict that is not `ok`.
  /// - Throws: An error that says why the book cannot be opened at all. `configuration.invalid` for
  ///   a note that is no checkpoint, and for a checkpoint in an archive that was not given or among
  ///   lost events. `configuration.invalid` also for an archive that cannot be read or is not one
  ///   of this book. `storage.damaged` for a checkpoint of another book, with a wrong signature, or
  ///   of a tree that ended with a recovery. `cancelled`.
  public func verify(
    against note: String? = nil, archive: String? = nil, account: AccountID? = nil,
    key: (any KeySource)? = nil,
    progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in }
  ) async throws(GatebookError) -> Verdict {
    let reader = try BookReader.open(at: path)
    reader.heedCancellation()
    let checkpoint = try note.map { (note) throws(GatebookError) in
      try Checkpoint(note: note, of: reader.id, signedBy: reader.row.checkpointKey)
    }
    let past = BaselineCheck(reader)
    let former = try await verifiedArchive(archive, past, reader, progress)
    if let checkpoint { try past.accept(checkpoint, former?.reader) }
    let (size, root) = try reader.head()
    // A damaged head must not send us looking for events that no file of this size can hold.
    let end = min(size, try reader.eventLimit())
    let path = path
    async let structure = await StructureCheck(of: path)
    async let indexes = IndexScan(of: path, upTo: end)
    let parts = await parts(
      after: past.baseline?.floor ?? 0, past.baseline?.frontier, upTo: end, progress)
    // A copy from a fleet that forgot all events has none of its own.
    let start = parts.isEmpty ? past.baseline?.frontier : nil
    var collected = CollectedParts(after: start ?? Frontier())
    collected.add(past.entries)
    for part in parts { collected.add(part) }
    collected.finish(size: size, root: root, reader)
    let entries = await indexes
    collected.compare(with: entries)
    collected.add(await structure.findings)
    collected.add(past.findings)
    let stream: VerifiedStream? =
      if let account { collected.stream(of: account, upTo: end, entries, reader) } else { nil }
    // What was not read must not be told as damage.
    guard !Task.isCancelled else { throw .readingGivenUp }
    var coverage: Continuation.Coverage?
    if let checkpoint {
      let isOlder = checkpoint.size < past.baseline?.first ?? 0
      let compared = isOlder ? former?.reader ?? reader : reader
      try collected.compare(with: checkpoint, compared)
      let begun = isOlder ? (try? compared.continuation()) ?? nil : past.continuation
      coverage = begun?.coverage(ofCheckpoint: checkpoint.size) ?? .all
    }
    let isLogWhole = collected.findings.problems.isEmpty
    let damage = isLogWhole ? collected.summaries : collected.findings.problems
    let (sealed, keyFailure) = try checkSealed(key, hasWholeLog: isLogWhole)
    let inside = damage + (sealed?.problems.map(\.text) ?? [])
    let problems = inside + (former?.problems ?? [])
    let isUncovered = coverage == .nothing && problems.isEmpty
    return Verdict(
      size: size, root: collected.root,
      level: coverage.map { $0 == .nothing ? .itself : .checkpoint } ?? .itself,
      covered: coverage == .nothing ? nil : checkpoint?.size,
      isWhollyCovered: coverage ?? .all == .all, isUncovered: isUncovered,
      firstBad: collected.findings.firstBad,
      agreesWithRoot: collected.agreesWithRoot, stream: stream,
      continuation: past.continuation, archive: former?.archive,
      isArchiveAtFault: inside.isEmpty && former?.problems.isEmpty == false,
      isLogWhole: isLogWhole, secrets: sealed?.found, keyFailure: keyFailure,
      isVaultAtFault: damage.isEmpty && sealed?.problems.isEmpty == false,
      problems: Self.shown(isUncovered ? [Self.nothingCovered] : problems))
  }

  /// Decrypts what is encrypted, if the key is available; trouble with the key is no damage.
  ///
  /// If damage of the log prevents decryption, the verdict on the log counts all the same.
  private func checkSealed(
    _ key: (any KeySource)?, hasWholeLog: Bool
  ) throws(GatebookError) -> (check: SealedCheck?, keyFailure: Verdict.KeyFailure?) {
    guard let key else { return (nil, nil) }
    let reader: BookReader
    do throws(GatebookError) {
      reader = try BookReader.open(at: path, key: key)
    } catch {
      return (nil, Verdict.KeyFailure(code: error.code, message: error.message))
    }
    reader.heedCancellation()
    do throws(GatebookError) {
      let check = try reader.inSnapshot { () throws(GatebookError) in
        try SealedCheck(reader, hasWholeLog: hasWholeLog)
      }
      return (check, nil)
    } catch  where !hasWholeLog && error.code == .storageDamaged {
      return (nil, Verdict.KeyFailure(code: error.code, message: error.message))
    }
  }

  /// Refuses a log that does not agree with itself: what is folded of a changed event would not be
  /// what happened.
  ///
  /// That takes as long as ``verify(against:archive:account:key:progress:)``. What else is damaged
  /// in the file is no reason not to fold.
  ///
  /// - Throws: `storage.damaged` for such a log; other `storage` failures; `cancelled`.
  package func requireWholeLog() async throws(GatebookError) {
    let verdict = try await verify()
    guard !verdict.agreesWithHashes else { return }
    throw GatebookError(
      .storageDamaged,
      "The log was damaged or tampered with"
        + (verdict.firstBad.map { ", from position \($0) on" } ?? "")
        + ", so no state is computed from it.",
      kept: "The stored states of accounts and sessions were not changed.",
      remedy: "`BookVerifier` shows which events are still proven.")
  }

  private static let nothingCovered =
    "No remaining event can be compared with the checkpoint: the events that it covers were lost, or "
    + "are next to lost events."

  /// Each once: what is met by several looks is one thing.
  static func shown(_ problems: [String]) -> [String] {
    var seen: Set<String> = []
    return Array(problems.filter { seen.insert($0).inserted }.prefix(maximumProblems))
  }

  /// Verifies the archive, and that the book continues at its end.
  private func verifiedArchive(
    _ path: String?, _ past: BaselineCheck, _ reader: BookReader,
    _ progress: @escaping @Sendable (Int64, Int64) -> Void
  ) async throws(GatebookError) -> (
    archive: VerifiedArchive, reader: BookReader, problems: [String]
  )? {
    guard let path else { return nil }
    guard let baseline = past.baseline else {
      // What says where the book begins is damaged or gone: that is the verdict.
      guard past.hasAllOfPast else { return nil }
      throw GatebookError(
        .configurationInvalid, "The book does not continue an archive: it holds all of its events.",
        remedy: "Leave out the archive.")
    }
    let archive = try Self.open(archive: path)
    archive.heedCancellation()
    guard archive.id == reader.id else {
      throw GatebookError(
        .configurationInvalid, "The archive belongs to another book.",
        remedy: "Give the archive that was made from this book.")
    }
    let verdict = try await BookVerifier(path: path).verify(progress: progress)
    let end = baseline.first - 1
    var problems = verdict.problems.map { "The archive: \($0)" }
    var hasSameState: Bool?
    if verdict.size != end {
      problems.append(
        "The archive ends at position \(verdict.size), but the book continues after position \(end). It "
          + "is not the archive that the book continues, or its end was cut off.")
    } else if !baseline.isRecovered, verdict.root != Hex.encode(baseline.root.bytes) {
      problems.append("The root of the archive is not the one that the book continues from.")
    } else if !baseline.isRecovered, verdict.ok {
      let isOfOtherFolds = past.folds != BookFold.version
      let found = try Self.compare(archive, with: baseline.state, of: reader, isOfOtherFolds)
      hasSameState = found == true
      if found == nil {
        problems.append(
          "The state that the book continues from is not the one at the end of the archive.")
      }
    }
    if !baseline.isRecovered, verdict.size == end, verdict.ok,
      try baseline.latest
        != Baseline.latest(archive.connection, after: Baseline.read(archive.connection))
    {
      problems.append("The archive ends at a different time than the book records.")
    }
    let verified = VerifiedArchive(
      size: verdict.size, root: verdict.root, hasSameState: hasSameState,
      continuation: verdict.continuation)
    return (verified, archive, problems)
  }

  /// Compares an archive with the state that a book continues.
  ///
  /// - Parameters:
  ///   - archive: The archive.
  ///   - state: The root of the state.
  ///   - reader: The book.
  ///   - isOfOtherFolds: Whether the book says that another version folded it: then accounts,
  ///     sessions and roster may be those that the archive holds, and all else is compared as ever.
  /// - Returns: `true` for the state of the archive's events as this version folds them. `false`
  ///   for that of its projections, which another version folded. `nil` where it is not the
  ///   archive's.
  /// - Throws: `storage` failures.
  private static func compare(
    _ archive: BookReader, with state: Digest, of reader: BookReader, _ isOfOtherFolds: Bool
  ) throws(GatebookError) -> Bool? {
    // The archiving process chose the events of trouble: they must be the archive's.
    let telling = Set(
      try BaselineRows(reader.connection).events().map(Position.init(rawValue:)))
    return try archive.inSnapshot { () throws(GatebookError) in
      var log = try FoldedLog(archive.connection, of: nil)
      let tallies = try log.foldRest(archive.connection)
      let found = try BaselineState(log.fold, tallies, archive.connection, telling: telling)
      if found.root(SHA256()) == state { return true }
      guard isOfOtherFolds else { return nil }
      let stored = try BaselineState(
        found, asStoredIn: archive.connection, naming: telling)
      return stored.root(SHA256()) == state ? false : nil
    }
  }

  /// Opens the archive; what is wrong with it is not said of the book.
  private static func open(archive path: String) throws(GatebookError) -> BookReader {
    do throws(GatebookError) {
      return try BookReader.open(at: path)
    } catch {
      let isMissing = FileStatus(of: path) == nil
      throw GatebookError(
        .configurationInvalid,
        isMissing
          ? "There is no archive at \(path)." : "The archive cannot be read: \(error.message)",
        kept: "Nothing was changed.",
        remedy: "Give the archive that the book continues, or an undamaged copy of it.",
        cause: error.cause)
    }
  }

  /// Verifies the events of a log in runs, some at a time.
  ///
  /// - Parameters:
  ///   - floor: The last event that is left out.
  ///   - tree: The tree over the events up to it, if they are not read.
  ///   - size: The last event.
  ///   - followsStreams: Whether the events of each account must follow each other; else the
  ///     indexes show it.
  ///   - progress: Called with the number of verified events and `size`.
  /// - Returns: What was found, in the order of the runs.
  func parts(
    after floor: Int64, _ tree: Frontier?, upTo size: Int64, followsStreams: Bool = false,
    _ progress: @escaping @Sendable (Int64, Int64) -> Void
  ) async -> [VerifiedPart] {
    // The first part continues the tree of the events before it; the others begin at full subtrees.
    let rest = stride(from: (floor / Self.chunk + 1) * Self.chunk, to: size, by: Int(Self.chunk))
    let starts = floor < size ? [floor] + rest : []
    return await withTaskGroup(of: (Int64, VerifiedPart).self) { group in
      var parts: [Int64: VerifiedPart] = [:]
      var waiting = starts[...]
      var done: Int64 = 0
      func addNext() {
        guard let start = waiting.popFirst() else { return }
        group.addTask {
          let end = min(size, (start / Self.chunk + 1) * Self.chunk)
          let former = start == floor ? tree : nil
          return (
            start,
            VerifiedPart(
              of: path, after: start, upTo: end, former: former, followsStreams: followsStreams,
              heedsCancellation: true)
          )
        }
      }
      for _ in 0..<Self.workers { addNext() }
      while let (start, part) = await group.next() {
        parts[start] = part
        done += part.count
        progress(done, size)
        addNext()
      }
      return starts.compactMap { parts[$0] }
    }
  }
}
