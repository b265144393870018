package import GatebookCrypto
public import GatebookEvents
internal import GatebookSystem

extension EventStore {
  /// Moves the master key to another source.
  ///
  /// The key itself stays the same: processes that have the book open continue, and checkpoints
  /// kept elsewhere stay valid.
  ///
  /// ```
  /// keep at the new place -> open it there -> record (key.changed; the former place is noted)
  ///   -> open the book by the new place -> remove at the former place -> forget the note
  /// ```
  ///
  /// Up to the record the former source opens the book, from then on both do, and only what has
  /// opened the book from its file lets the former key go. A process killed anywhere leaves a book
  /// that opens; what was still to be removed is removed by the next move, which may be one to the
  /// same place.
  ///
  /// - Parameters:
  ///   - target: Where the key is to live.
  ///   - random: For what the new source adds.
  /// - Returns: What became of it.
  /// - Throws: `storage.busy` while another process moves it; the failures of the new source, with
  ///   the key where it was; `storage` failures.
  package nonisolated func moveKey(
    to target: any KeySource, random: any RandomSource
  ) async throws(GatebookError) -> KeyMove {
    // A keyring that asks the person, and scrypt, block.
    let thread = ThreadExecutor()
    return try await withTaskExecutorPreference(thread) { () throws(GatebookError) in
      try await move(to: target, random: random, on: thread)
    }
  }

  private nonisolated func move(
    to target: any KeySource, random: any RandomSource, on thread: ThreadExecutor
  ) async throws(GatebookError) -> KeyMove {
    // No account has the number 0. The kernel releases it with the process.
    guard let lock = try AccountLock.take(file, .account(0)) else {
      throw GatebookError(
        .storageBusy, "Another program is moving the book's key now.",
        kept: "Nothing was changed.", remedy: "Check where the key is, then try again.")
    }
    defer { withExtendedLifetime(lock) {} }
    let former = try recordedKey()
    let place = try target.keep(keys.master, of: keys.book, random: random)
    try prove(place, by: target)
    let isMoved = place != former.place
    let noted = isMoved ? place.with(formers: [former] + former.formers) : former
    if isMoved { try await record(noted, after: former) }
    // From here on nobody's cancellation leaves the key in two places.
    let removal = await Task(executorPreference: thread) { [self] () -> Removal in
      do throws(GatebookError) {
        // By what the book's file says now, and by the new place alone: a former one proves
        // nothing.
        try prove(try recordedKey().place, by: target)
        return try await settle(noted)
      } catch {
        return Removal(failure: error)
      }
    }.value
    return KeyMove(
      from: (isMoved ? former : noted.formers.first ?? former).source, to: place.source,
      isMoved: isMoved, leftovers: removal.leftovers, unremoved: removal.failure)
  }

  /// What became of the key at its former places.
  private struct Removal: Sendable {
    var leftovers: [String] = []
    var failure: GatebookError?
  }

  private nonisolated func recordedKey() throws(GatebookError) -> KeyDescription {
    try BookRow(ReaderConnection.open(file)).key
  }

  /// Makes sure that a place gives back what it was given.
  private nonisolated func prove(
    _ place: KeyDescription, by target: any KeySource
  ) throws(GatebookError) {
    guard try target.open(place, of: keys.book) == keys.master else {
      throw GatebookError(
        .keyWrong, "The new key source returned a different key than it was given.",
        kept: "The old place still has the key.", remedy: "Choose another source.")
    }
  }

  private nonisolated func record(
    _ noted: KeyDescription, after former: KeyDescription
  ) async throws(GatebookError) {
    let event = ProposedEvent(KeyChanged(from: former.source, to: noted.source))
    do throws(GatebookError) {
      _ = try await append(
        Append([event], vault: [.moveKey(from: former, to: noted)], mayBeGivenUp: true))
    } catch  where error.code == .cancelled {
      throw error.keeping(
        "The book's key was not moved, but a copy of it may be at the new place.")
    }
  }

  /// Removes the key at its former places, and then the note of them.
  private nonisolated func settle(_ noted: KeyDescription) async throws(GatebookError) -> Removal {
    guard !noted.formers.isEmpty else { return Removal() }
    var removal = Removal()
    var left: [KeyDescription] = []
    for former in noted.formers {
      do throws(GatebookError) {
        let leftover = try keySource.remove(former, of: keys.book, movedTo: noted.place)
        if let leftover { removal.leftovers.append(leftover) }
      } catch {
        left.append(former)
        removal.failure = removal.failure ?? error
      }
    }
    let settled = noted.with(formers: left)
    guard settled != noted else { return removal }
    _ = try await append(Append([], vault: [.moveKey(from: noted, to: settled)]))
    return removal
  }
}

/// The result of moving a book's master key.
public struct KeyMove: Sendable {
  /// Where the key was: `file`, `passphrase`, `secret-service`.
  public let from: String
  /// Where the key is now.
  public let to: String
  /// Whether the key was elsewhere before; otherwise nothing was recorded.
  public let isMoved: Bool
  /// What the user has to remove, such as the paths of key files that the user named and that other
  /// books may use.
  public let leftovers: [String]
  /// Why the old source still has the key; moving the key to the same place again tries to remove
  /// it once more.
  public let unremoved: GatebookError?
}
