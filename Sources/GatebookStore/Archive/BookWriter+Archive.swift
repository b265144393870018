internal import GatebookCrypto
internal import GatebookEvents

extension BookWriter {
  /// Makes the copy an archive and continues the book after it, in one transaction.
  ///
  /// ```
  /// writer lock -> copy brought up to date -> file put in its place -> book continued -> unlock
  /// ```
  ///
  /// A process killed before the commit leaves the book as it was, and perhaps a whole copy, which
  /// the next archive at its place takes away.
  ///
  /// - Parameters:
  ///   - prepared: The copy.
  ///   - copy: The book's record of it: it is complete once the book continues it.
  /// - Returns: The archive.
  /// - Throws: `storage.busy`, `storage` failures; the book is then as before.
  func archive(
    _ prepared: PreparedArchive, as copy: CopyID
  ) throws(GatebookError) -> Archive {
    let archive = try lockedForWriting { () throws(GatebookError) in
      var prepared = prepared
      let (state, baseline) = try prepared.finish(file)
      // Events hold nothing secret: to overwrite millions of them would keep others waiting.
      try overwrite(false)
      defer { try? overwrite(true) }
      try prepared.draft.publish(mode: 0o400)
      do throws(GatebookError) {
        return try goOn(from: state, baseline, prepared, copy)
      } catch {
        // An error of `COMMIT` leaves open whether it happened: the file itself knows.
        let now = try? Baseline.read(ReaderConnection.open(file))
        guard now?.floor == baseline.floor else {
          prepared.draft.withdraw()
          throw error
        }
        return Self.archive(prepared, baseline)
      }
    }
    // The archive is made: what is left of it in the book's file is taken away now or by others
    // later.
    try? clearPast()
    return archive
  }

  private func goOn(
    from state: BaselineState, _ baseline: Baseline, _ prepared: PreparedArchive, _ copy: CopyID
  ) throws(GatebookError) -> Archive {
    try inTransaction { (connection, appender) throws(GatebookError) in
      guard appender.size == baseline.floor else {
        throw .storageDamaged("The book does not end where its archive ends.")
      }
      try appender.goOn(from: state, baseline, prepared.log.fold, prepared.tallies)
      try connection.execute("DELETE FROM lost")
      try PastEvents(connection).setAside()
      // The events of the block that is being filled are in the log no more.
      appender.counter.forget()
      let row = try BookRow(connection)
      var event = BookContinued(
        checkpointKey: Hex.encode(row.checkpointKey), from: Position(rawValue: baseline.floor),
        keySource: row.key.source, root: Hex.encode(baseline.root.bytes),
        state: Hex.encode(baseline.state.bytes))
      event.folds = BookFold.version
      _ = try appender.append(
        Append([ProposedEvent(event)], vault: [.endCopy(copy, events: baseline.floor)]))
    }
    return Self.archive(prepared, baseline)
  }

  private static func archive(_ prepared: PreparedArchive, _ baseline: Baseline) -> Archive {
    Archive(
      path: prepared.draft.place, first: Position(rawValue: prepared.first),
      end: Position(rawValue: baseline.floor),
      root: Hex.encode(baseline.root.bytes), state: Hex.encode(baseline.state.bytes),
      position: Position(rawValue: baseline.floor + 1))
  }

  /// Takes away what archives have taken over, piece by piece: others write in between.
  func clearPast() throws(GatebookError) {
    try overwrite(false)
    defer { try? overwrite(true) }
    var isDone = false
    while !isDone {
      isDone = try lockedForWriting { () throws(GatebookError) in
        try inTransaction { (connection, _) throws(GatebookError) in
          let past = PastEvents(connection)
          guard try past.isLeft() else { return true }
          return try past.clear()
        }
      }
      checkpointWAL()
    }
    try lockedForWriting { () throws(GatebookError) in try vacuum() }
    checkpointWAL(isClosing: true)
  }
}
