package import GatebookEvents

/// Writes the history of a book that a fleet has into a book file, to which no key belongs.
///
/// ```
/// draft -> what the book begins with -> events -> states and indexes -> verified -> published
/// ```
///
/// Unless it finishes, nothing is left of it.
package final class BookPull {
  /// What the history must end with.
  package struct Head: Sendable {
    let size: Int64
    let root: [UInt8]?
    let checkpoint: String?

    /// Makes a head.
    ///
    /// - Parameters:
    ///   - size: How many events it counts.
    ///   - root: The root over them; `nil` if it is not known.
    ///   - checkpoint: The signed checkpoint of it; `nil` if there is none.
    package init(size: Int64, root: [UInt8]?, checkpoint: String?) {
      self.size = size
      self.root = root
      self.checkpoint = checkpoint
    }
  }

  private let draft: DraftFile
  private let book: BookID
  private let branch: Int64
  /// `nil` once the file is complete.
  private var log: PulledLog?

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - place: The path of the finished file, which there must not be yet.
  ///   - book: The book.
  ///   - branch: Which of its histories it is.
  ///   - past: What the history begins with; `nil` for one that has all of its past.
  ///   - lost: The positions whose events a recovery did not find, in order.
  /// - Throws: `configuration.invalid` for a file that is there already, or a place that cannot be
  ///   written; `storage.full`; other `storage` failures.
  package init(
    to place: String, of book: BookID, branch: Int64, after past: PulledPast?,
    lost: [ClosedRange<Int64>]
  ) throws(GatebookError) {
    let draft = try DraftFile.open(for: place, .pull, beside: nil)
    self.draft = draft
    self.book = book
    self.branch = branch
    do throws(GatebookError) {
      log = try PulledLog(try draft.connect(), of: book, past, lost: lost)
    } catch {
      guard error.code == .storageDamaged else { throw draft.purpose.failure(error) }
      throw PullRefusal.damaged("The state that it begins with cannot be read.", of: book)
    }
  }

  /// Adds the next event, in the order of positions.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - program: The program that wrote it.
  /// - Throws: `fleet.mismatch` for one that is not the next one, or cannot be read;
  ///   `storage.full`; other `storage` failures; `cancelled`.
  package func take(_ event: ShippedEvent, by program: Program) throws(GatebookError) {
    do throws(GatebookError) {
      try log?.take(event, by: program)
    } catch {
      throw draft.purpose.failure(error)
    }
  }

  /// Completes the file, verifies all of it, and publishes it.
  ///
  /// - Parameters:
  ///   - head: What the history must end with.
  ///   - progress: Told how many events are verified, and of how many.
  /// - Returns: The root, 64 hexadecimal digits.
  /// - Throws: `fleet.mismatch` if the events do not agree with their hashes or with the head;
  ///   `storage.full`; other `storage` failures; `cancelled`.
  package func finish(
    _ head: Head, progress: @escaping @Sendable (Int64, Int64) -> Void
  ) async throws(GatebookError) -> String {
    do throws(GatebookError) {
      try log?.finish(size: head.size, branch: branch)
    } catch {
      throw draft.purpose.failure(error)
    }
    log = nil
    let root = try await verify(head, progress)
    guard !Task.isCancelled else { throw draft.purpose.cancelled }
    try draft.publish(mode: 0o400)
    return root
  }

  private func verify(
    _ head: Head, _ progress: @escaping @Sendable (Int64, Int64) -> Void
  ) async throws(GatebookError) -> String {
    let verdict: Verdict
    do throws(GatebookError) {
      verdict = try await draft.verify(against: head.checkpoint, progress: progress)
    } catch {
      let isAboutCheckpoint = error.code == .storageDamaged || error.code == .configurationInvalid
      throw isAboutCheckpoint ? PullRefusal.damaged(error.message, of: book) : error
    }
    if let problem = verdict.problems.first { throw PullRefusal.damaged(problem, of: book) }
    let isRight = head.root.map { Hex.encode($0) == verdict.root } ?? true
    guard isRight, verdict.size == head.size else {
      throw PullRefusal.damaged(
        "Its \(verdict.size) events do not make the root that was shipped with them.", of: book)
    }
    return verdict.root
  }
}
