package import GatebookCrypto
package import GatebookEvents
internal import GatebookSystem

extension EventStore {
  /// Archives the book as it is, and continues it after the archive.
  ///
  /// The book's file stays the same: processes that have it open continue. Reads and writes during
  /// the copy wait only for its end.
  ///
  /// - Parameters:
  ///   - path: The whole path of the archive's file, which there must not be yet.
  ///   - random: For its identity among the book's copies: it holds keys as they do.
  ///   - progress: Told how far it has come, and of how much, in pages and then in events.
  /// - Returns: The archive.
  /// - Throws: `configuration.invalid` where there is a file already, `storage.damaged` for a book
  ///   that does not agree with itself, `storage.busy` while another process archives it,
  ///   `cancelled`; the book is then as before.
  package nonisolated func archive(
    to path: String, random: any RandomSource = SystemRandom(),
    progress: @escaping @Sendable (Int64, Int64) -> Void
  ) async throws(GatebookError) -> Archive {
    let thread = ThreadExecutor()
    return try await withTaskExecutorPreference(thread) { () throws(GatebookError) in
      // The byte before those of outboxes stands for the care of the whole book: no account is 0.
      guard let lock = try AccountLock.take(file, .outbox(0)) else {
        throw GatebookError(
          .storageBusy, "Another program is archiving the book now.",
          kept: "Nothing was changed.", remedy: "Wait until it is finished.")
      }
      defer { withExtendedLifetime(lock) {} }
      try takeAwayLeftover(at: path)
      let draft = try DraftFile.open(for: path, .archive, beside: file)
      let copy = try await begin(.archive, at: path, random: random)
      let archive: Archive
      do throws(GatebookError) {
        try draft.copy(file, progress: progress)
        let verdict = try await draft.verify(progress: progress)
        guard verdict.isLogWhole else {
          throw .storageDamaged("The book is damaged, so no archive was created.")
        }
        // An archive never changes again: it would keep them so.
        guard verdict.ok else { throw Self.wrongSummaries(verdict) }
        guard !Task.isCancelled else { throw draft.purpose.cancelled }
        let prepared = try PreparedArchive(draft)
        guard !Task.isCancelled else { throw draft.purpose.cancelled }
        archive = try await self.archive(prepared, as: copy)
      } catch {
        await drop(copy)
        throw error
      }
      // Former copies at its place are not there any more; where this fails, the archive is made
      // all the same.
      _ = try? await end(copy, events: archive.end.rawValue, isTold: true)
      return archive
    }
  }

  private static func wrongSummaries(_ verdict: Verdict) -> GatebookError {
    GatebookError(
      .storageDamaged,
      "The book's indexes or states differ from its events. \(verdict.problems[0])",
      kept: "The book was not changed, and no archive was created.",
      remedy:
        "Compute the indexes and states again with `SessionBook.rebuild(_:)`; then archive again.")
  }

  /// Removes the file of an archive that was killed before the book was continued.
  ///
  /// It is one only if the book knows it as never ended, and has all that is in it.
  private nonisolated func takeAwayLeftover(at path: String) throws(GatebookError) {
    let reader = try makeReader()
    let isKnown = try reader.copies().contains {
      $0.kind == .archive && $0.events == nil && $0.place == .known(path)
    }
    guard isKnown, (try? reader.hasAll(ofArchive: path)) == true else { return }
    Files.remove(path)
  }

  private func archive(
    _ prepared: PreparedArchive, as copy: CopyID
  ) throws(GatebookError) -> Archive {
    try whileOpen { (writer) throws(GatebookError) in try writer.archive(prepared, as: copy) }
  }
}
