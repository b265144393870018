internal import GatebookCrypto
public import GatebookEvents

extension BookReader {
  /// Proves to somebody without the book that an event is in it.
  ///
  /// - Parameters:
  ///   - position: The event.
  ///   - note: A checkpoint that was kept elsewhere: the proof is made for it and needs no key;
  ///     `nil` for the book as it is now.
  /// - Returns: The proof, a C2SP `tlog-proof`, with its last line feed: see ``InclusionProof``.
  /// - Throws: `configuration.invalid` for an event that does not exist, or that the checkpoint
  ///   does not cover. `key.missing` if a checkpoint must be signed without the key.
  ///   `storage.damaged` for a book that cannot prove it.
  public func proof(
    of position: Position, against note: String? = nil
  ) throws(GatebookError) -> String {
    try inSnapshot { () throws(GatebookError) in
      let note = if let note { note } else { try checkpoint() }
      let head = try Checkpoint(note: note, of: id, signedBy: row.checkpointKey)
      guard (1...max(1, head.size)).contains(position.rawValue), head.size > 0 else {
        throw GatebookError(
          .configurationInvalid,
          "The checkpoint covers only the events 1 to \(head.size), not event \(position).",
          remedy: "Choose one of these events, or a newer checkpoint.")
      }
      if let baseline = try Baseline.read(connection), position.rawValue < baseline.first {
        throw archived(before: baseline)
      }
      let canonical = try canonicalBytes(at: position)
      guard let canonical,
        let path = try PartialTree(connection).path(to: position.rawValue, of: head.size),
        InclusionProof.root(
          of: SHA256().leaf(canonical), at: position.rawValue - 1, in: head.size, path) == head.root
      else {
        if let baseline = try Baseline.read(connection), baseline.isRecovered,
          position.rawValue <= baseline.floor
        {
          throw GatebookError(
            .configurationInvalid,
            "The event at position \(position) cannot be proven, because events next to it are lost.",
            kept: "Nothing was changed.",
            remedy:
              "Prove the event at position \(baseline.floor + 1) instead: it says which events the "
              + "recovery found.")
        }
        throw .storageDamaged("The event at position \(position) cannot be proven.")
      }
      let extra = Base64.encode([1] + row.checkpointKey + canonical)
      let lines =
        [InclusionProof.heading, "extra \(extra)", "index \(position.rawValue - 1)"]
        + path.map { Base64.encode($0.bytes) }
      return lines.joined(separator: "\n") + "\n\n" + note
    }
  }

  /// What an event's leaf is made of; `nil` where it names what is not there.
  private func canonicalBytes(at position: Position) throws(GatebookError) -> [UInt8]? {
    let rows = try connection.rows(
      "SELECT \(CanonicalNames.columns) FROM event WHERE position = ?1", position)
    guard let row = try rows.next() else { return nil }
    var names = CanonicalNames(connection)
    var canonical = CanonicalEvent()
    return try names.write(row, into: &canonical) ? canonical.bytes : nil
  }
}
