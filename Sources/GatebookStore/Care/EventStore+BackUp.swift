package import GatebookCrypto
package import GatebookEvents
internal import GatebookSystem

extension EventStore {
  /// Writes a copy of the whole book while others write.
  ///
  /// ```
  /// record that it is begun -> copy one state of the book into a draft -> verify the draft
  ///   -> sync it and put it in place -> record that it is whole (book.backedUp)
  /// ```
  ///
  /// A process killed anywhere leaves at worst a record of a copy that is not there.
  ///
  /// - Parameters:
  ///   - path: The file of the copy.
  ///   - replacing: Whether a file there is replaced.
  ///   - random: For the copy's identity.
  ///   - progress: Told how many pages are copied, and of how many.
  /// - Returns: The copy.
  /// - Throws: Why there is none; `storage` failures of the last record, with the copy in place.
  package nonisolated func backUp(
    to path: String, replacing: Bool, random: any RandomSource,
    progress: @escaping @Sendable (Int64, Int64) -> Void
  ) async throws(GatebookError) -> BookCopy {
    try await withTaskExecutorPreference(ThreadExecutor()) { () throws(GatebookError) in
      let place = try BackupPlace(
        path, of: file, try makeReader().id, replacing: replacing)
      let draft = try DraftFile.open(for: place.path, .backup)
      let copy = try await begin(.backup, at: place.path, random: random)
      let size: Int64
      do throws(GatebookError) {
        size = try await write(draft, progress)
        guard !Task.isCancelled else { throw draft.purpose.cancelled }
        try draft.publish(replacing: replacing)
      } catch {
        // Where this fails too, a copy is known that is not there.
        await drop(copy)
        throw error
      }
      return try await end(copy, events: size)
    }
  }

  /// Copies the book as it is now, and makes sure that the copy is whole.
  ///
  /// - Returns: How many events it holds.
  private nonisolated func write(
    _ draft: DraftFile, _ progress: @Sendable (Int64, Int64) -> Void
  ) async throws(GatebookError) -> Int64 {
    let (size, root) = try copyAll(to: draft, progress)
    let verdict = try await draft.verify()
    guard verdict.ok, verdict.size == size, verdict.root == root else {
      throw GatebookError(
        .storageDamaged,
        "The copy failed its verification. \(verdict.problems.first ?? "It differs from the book.")",
        kept: "The incomplete copy was deleted.",
        remedy: verdict.isLogWhole && !verdict.ok
          ? "Compute the indexes and states again with `SessionBook.rebuild(_:)`; then copy again."
          : "Check the book with `BookVerifier`. If it finds the same problem, `BookRecovery` makes a "
            + "new book from what can be read. If the book is undamaged, check the disk of the copy."
      )
    }
    return size
  }

  private nonisolated func copyAll(
    to draft: DraftFile, _ progress: @Sendable (Int64, Int64) -> Void
  ) throws(GatebookError) -> (size: Int64, root: String) {
    let reader = try makeReader()
    return try reader.inSnapshot { () throws(GatebookError) in
      let head = try reader.head()
      try draft.copy(reader.connection, progress: progress)
      return head
    }
  }

  // MARK: The record of copies

  /// Records that a copy of the book, with the keys that it has now, is about to be written.
  ///
  /// - Parameters:
  ///   - kind: What kind of copy.
  ///   - place: The whole path of its file.
  ///   - random: For its identity.
  /// - Returns: The copy's identity: for ``end(_:events:isTold:)`` or ``drop(_:)``.
  /// - Throws: `storage` failures; then nothing may be written.
  package nonisolated func begin(
    _ kind: BookCopy.Kind, at place: String, random: any RandomSource
  ) async throws(GatebookError) -> CopyID {
    guard let copy = CopyID(bytes: random.bytes(16)) else {
      throw .noRandomness
    }
    _ = try await append(Append([], vault: [.beginCopy(copy, kind: kind, place: place)]))
    return copy
  }

  /// Records that a copy is whole and in place; former ones at the same place are not there any
  /// more.
  ///
  /// - Parameters:
  ///   - copy: The copy.
  ///   - events: How many events it holds.
  ///   - isTold: Whether the log says so already, by an event of another kind.
  /// - Returns: The copy as it is known from now on.
  /// - Throws: `storage` failures; the copy is then known as one that was begun.
  package nonisolated func end(
    _ copy: CopyID, events: Int64, isTold: Bool = false
  ) async throws(GatebookError) -> BookCopy {
    let known = try makeReader().copies()
    guard let begun = known.first(where: { $0.id == copy }) else {
      throw .storageDamaged("The record of the copy is gone.")
    }
    let backedUp = ProposedEvent(BookBackedUp(copy: copy, events: events))
    var append = Append(isTold ? [] : [backedUp], vault: [.endCopy(copy, events: events)])
    for former in known where former.place == begun.place && former.id != copy {
      append.vault.append(.dropCopy(former.id))
    }
    _ = try await self.append(append)
    return BookCopy(
      id: copy, kind: begun.kind, at: begun.at, place: begun.place, begun: begun.begun,
      events: events)
  }

  /// Forgets a copy that came to nothing.
  package nonisolated func drop(_ copy: CopyID) async {
    // Also where the caller was cancelled.
    _ = await Task { try? await self.append(Append([], vault: [.dropCopy(copy)])) }.value
  }
}
