internal import GatebookCrypto
public import GatebookEvents

extension BookVerifier {
  /// Verifies what a book recorded since a checkpoint: it takes as long as the new events take,
  /// however many there were before.
  ///
  /// First it makes the root at the checkpoint from the stored subtrees, and compares it with the
  /// signed one. Only if they are equal, it reads the events after the checkpoint. Of these it
  /// computes every leaf and every stored subtree again, and the root. It also compares the
  /// summaries of kinds and times over complete runs of 256 events, and the order of each account's
  /// events.
  ///
  /// It does not read the events that the checkpoint covers. It does not compare the indexes of ids
  /// and accounts, SQLite's pages, encrypted data, or the state that follows an archive.
  ///
  /// - Parameters:
  ///   - note: A checkpoint that was kept elsewhere, as `checkpoint` wrote it.
  ///   - progress: Called with the number of verified events, and how many there are since the
  ///     checkpoint.
  /// - Returns: The verdict; damage is not an error but a verdict that is not `ok`.
  /// - Throws: An error that says why the book cannot be opened at all. `configuration.invalid` for
  ///   a note that is no checkpoint, and for a checkpoint that ends in an archive or before a
  ///   recovery. `storage.damaged` for a checkpoint of another book, or with a wrong signature.
  ///   `cancelled`.
  public func verify(
    from note: String, progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in }
  ) async throws(GatebookError) -> GrowthVerdict {
    let reader = try BookReader.open(at: path)
    reader.heedCancellation()
    let checkpoint = try Checkpoint(note: note, of: reader.id, signedBy: reader.row.checkpointKey)
    let start = checkpoint.size
    let (head, tree) = try reader.inSnapshot { () throws(GatebookError) in
      let baseline = try Baseline.read(reader.connection)
      if let baseline {
        try Self.refuse(checkpoint, after: baseline, isForgotten: reader.forgets(before: baseline))
      }
      let head = try reader.head()
      guard start <= head.size else { return (head, Frontier?.none) }
      return (head, try PartialTree(reader.connection).frontier(of: start, after: baseline))
    }
    guard let tree, tree.root(SHA256()) == checkpoint.root else {
      return Self.verdict(against: checkpoint, size: head.size, hasTree: tree != nil)
    }
    // A damaged head must not send us looking for events that no file of this size can hold.
    let end = min(head.size, max(start, try reader.eventLimit()))
    var collected = CollectedParts(after: tree)
    let parts = await parts(after: start, tree, upTo: end, followsStreams: true) { done, _ in
      progress(done, end - start)
    }
    for part in parts { collected.add(part) }
    collected.finish(size: head.size, root: head.root, reader)
    collected.checkStreams(after: start, reader)
    // What was not read must not be told as damage.
    guard !Task.isCancelled else { throw .readingGivenUp }
    // A stored root may be of earlier events too: these are bound by the checkpoint.
    let firstBad = collected.findings.firstBad.map { max($0, Position(rawValue: start + 1)) }
    let isLogWhole = collected.findings.problems.isEmpty
    return GrowthVerdict(
      covered: start, size: head.size, root: collected.root, agreesWithCheckpoint: true,
      firstBad: firstBad, agreesWithRoot: collected.agreesWithRoot,
      isLogWhole: isLogWhole,
      problems: Self.shown(isLogWhole ? collected.summaries : collected.findings.problems))
  }

  /// The verdict on a book whose tree is not the one of the checkpoint.
  private static func verdict(
    against checkpoint: Checkpoint, size: Int64, hasTree: Bool
  ) -> GrowthVerdict {
    let covered = checkpoint.size
    let problem =
      if covered > size {
        "The book ends at position \(size), but the checkpoint covers \(covered) events."
      } else if hasTree {
        "The stored root of the first \(covered) events is not the one that the checkpoint signed."
      } else {
        "A stored root of the first \(covered) events is missing, or an event just before the end of "
          + "the checkpoint is."
      }
    return GrowthVerdict(
      covered: covered, size: size, root: nil, agreesWithCheckpoint: false, firstBad: nil,
      agreesWithRoot: false, isLogWhole: false, problems: [problem])
  }

  /// Refuses a checkpoint after which the book does not have all events.
  private static func refuse(
    _ checkpoint: Checkpoint, after baseline: Baseline, isForgotten: Bool
  ) throws(GatebookError) {
    if baseline.isRecovered, checkpoint.size <= baseline.floor {
      throw GatebookError(
        .configurationInvalid,
        "The checkpoint covers \(checkpoint.size) events, but the book was recovered after position "
          + "\(baseline.floor): events before that may be missing.",
        kept: "Nothing was changed.",
        remedy:
          "Verify the whole book with `BookVerifier`, or give a checkpoint that was made after "
          + "the recovery.")
    }
    guard checkpoint.size < baseline.floor else { return }
    throw GatebookError(
      .configurationInvalid,
      "The checkpoint covers \(checkpoint.size) events, but "
        + (isForgotten
          ? "the fleet that this copy is from forgot the events 1 to \(baseline.floor)."
          : "events 1 to \(baseline.floor) are in the archive."),
      kept: "Nothing was changed.",
      remedy: "Give a checkpoint of at least \(baseline.floor) events"
        + (isForgotten
          ? "." : ", or verify the whole book with `BookVerifier` and the archive too."))
  }
}
