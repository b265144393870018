internal import CSQLite
internal import GatebookCrypto
public import GatebookEvents

/// Recomputes every leaf, every stored subtree and the root of a book, some parts of it at a time.
///
/// It needs no key and never writes.
public struct BookVerifier: Sendable {
  private let path: String
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
  ///   - account: Whose share of the whole is told, after a look for gaps in it; `nil` for nobody's.
  ///   - progress: Told how many events are done, and of how many.
  /// - Returns: The verdict; damage is no error but a verdict that is not `ok`.
  /// - Throws: The book cannot be opened at all; `configuration.invalid` for a note that is no
  ///   checkpoint, `storage.damaged` for one of another book or with a wrong signature.
  public func verify(
    against note: String? = nil, account: AccountID? = nil,
    progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in }
  ) async throws(GatebookError) -> Verdict {
    let reader = try BookReader.open(at: path)
    let checkpoint = try note.map { (note) throws(GatebookError) in
      try Checkpoint(note: note, of: reader.row)
    }
    let (size, root) = try reader.head()
    // A damaged head must not send us looking for events that no file of this size can hold.
    let end = min(size, try reader.eventLimit())
    let path = path
    async let structure = StructureCheck(of: path)
    async let indexes = IndexScan(of: path, upTo: end)
    var collected = CollectedParts()
    for part in await parts(upTo: end, progress) { collected.add(part) }
    collected.finish(size: size, root: root, reader)
    collected.compare(with: await indexes)
    collected.add(await structure)
    let stream: VerifiedStream? =
      if let account { collected.stream(of: account, upTo: end, reader) } else { nil }
    if let checkpoint { try collected.compare(with: checkpoint, reader) }
    return Verdict(
      size: size, root: collected.root, level: note == nil ? .itself : .checkpoint,
      firstBad: collected.firstBad, agreesWithRoot: collected.agreesWithRoot, stream: stream,
      problems: Array(collected.problems.prefix(Self.maximumProblems)))
  }

  private func parts(
    upTo size: Int64, _ progress: @escaping @Sendable (Int64, Int64) -> Void
  ) async -> [VerifiedPart] {
    let starts = Array(stride(from: 0, to: size, by: Int(Self.chunk)))
    return await withTaskGroup(of: (Int, VerifiedPart).self) { group in
      var parts: [VerifiedPart?] = Array(repeating: nil, count: starts.count)
      var next = 0
      var done: Int64 = 0
      while next < min(Self.workers, starts.count) {
        add(next, starts[next], size, to: &group)
        next += 1
      }
      while let (index, part) = await group.next() {
        parts[index] = part
        done += part.count
        progress(done, size)
        if next < starts.count {
          add(next, starts[next], size, to: &group)
          next += 1
        }
      }
      return parts.compactMap(\.self)
    }
  }

  private func add(
    _ index: Int, _ start: Int64, _ size: Int64, to group: inout TaskGroup<(Int, VerifiedPart)>
  ) {
    let path = path
    group.addTask {
      (index, VerifiedPart(of: path, after: start, upTo: min(size, start + Self.chunk)))
    }
  }
}
