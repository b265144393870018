internal import Gatebook

extension Examination {
  /// Where the key is, whether it answers, and what to do: the book's own word first.
  func key(_ reader: BookReader) -> [Observation] {
    let place = KeyPlace(reader, folder: call.surroundings.keyFolder)
    guard call.globals.key != .none else {
      return [Observation("key", .note, "It is \(place); not looked for: `--key none`.")]
    }
    do {
      let opened = try BookReader.open(at: path, key: try call.keySource(mayAsk: false))
      let text =
        call.globals.key == .automatic
        ? "The book's key is at hand: it is \(place)."
        : "`--key` names a key that opens the book. By the book it is \(place)."
      return [Observation("key", .good, text)] + unfinishedMove(reader) + [try secrets(opened)]
        + (try brokenKeys(opened)) + (try lookups(opened))
    } catch let error as GatebookError {
      // A passphrase that nobody was asked for is nothing to mend.
      let isAsked = reader.keySource == "passphrase" && error.code == .keyMissing
      return [
        Observation(
          "key", isAsked ? .note : .bad, "The book's key is \(place). \(error.message)",
          remedy: error.remedy)
      ]
    } catch {
      return [Observation("key", .bad, "It is not known where keys are.", remedy: "Give `--key`.")]
    }
  }

  /// Whether those accounts alone have no key that were erased: no hash says which have one.
  func accountKeys(_ reader: BookReader) throws(GatebookError) -> [Observation] {
    let gone = try reader.accountsWithoutKey()
    let kept = try reader.erasedAccountsWithKey()
    let names = { (ids: [AccountID]) in
      ids.map { String($0.description.prefix(8)) }.joined(separator: ", ")
    }
    var found: [Observation] = []
    if !gone.isEmpty {
      found.append(
        Observation(
          "account keys", .bad,
          "The key of \(names(gone)) is gone as after an erase, and none is in the log: nothing opens that "
            + "was sealed under it.",
          remedy:
            "Use a copy of the book from before that; without one, log in again in the book that "
            + "`gatebook recover -o FILE` makes."))
    }
    if !kept.isEmpty {
      found.append(
        Observation(
          "account keys", .bad,
          kept.count == 1
            ? "\(names(kept)) was erased, but still has a key."
            : "\(names(kept)) were erased, but still have keys.",
          remedy: "`gatebook recover -o FILE` makes a book without: destroy this one then."))
    }
    return found
  }

  /// Whether the vault's secrets open: no hash says what they were, for they come and go.
  private func secrets(_ reader: BookReader) throws(GatebookError) -> Observation {
    let changed = try reader.accountsWithChangedSecrets()
    let accounts = try reader.accounts()
    // Without its key an account has no secrets: that is told as what it is.
    let keyless = Set(try reader.accountsWithoutKey())
    var gone: [SessionContext] = []
    for context in accounts where context.state.isUsable && !keyless.contains(context.account) {
      if try !reader.hasSecret(of: context.account, purpose: "session") { gone.append(context) }
    }
    guard !changed.isEmpty || !gone.isEmpty else {
      return Observation("secrets", .good, "All that the book keeps sealed for its accounts opens.")
    }
    var sentences: [String] = []
    if !changed.isEmpty {
      let names = accounts.filter { changed.contains($0.account) }.map(AccountRendering.name)
      sentences.append(
        "What the book keeps sealed for \(names.joined(separator: ", ")) was changed, and does not open."
      )
    }
    if !gone.isEmpty {
      let names = gone.map(AccountRendering.name)
      sentences.append(
        "What the sessions of \(names.joined(separator: ", ")) lived by is not in the book any more."
      )
    }
    return Observation(
      "secrets", .bad, sentences.joined(separator: " "),
      remedy: "Log in there again: that writes it anew.")
  }

  /// Whether each account's key opens: without it an account can never log in again in this book.
  private func brokenKeys(_ reader: BookReader) throws(GatebookError) -> [Observation] {
    let broken = try reader.accountsWithoutWorkingKey()
    guard !broken.isEmpty else { return [] }
    let names = broken.map { String($0.description.prefix(8)) }.joined(separator: ", ")
    return [
      Observation(
        "account keys", .bad, "The key of \(names) was changed and cannot be decrypted.",
        remedy:
          "Use a copy of the book from before that; without one, log in again in the book that "
          + "`gatebook recover -o FILE` makes.")
    ]
  }

  /// Whether users lead to their own accounts: no hash covers what finds them.
  private func lookups(_ reader: BookReader) throws(GatebookError) -> [Observation] {
    let misled = try reader.misledAccounts()
    let changed = Set(try reader.accountsWithChangedLookups()).subtracting(misled)
    var found: [Observation] = []
    if !changed.isEmpty {
      let names = try reader.accounts().filter { changed.contains($0.account) }
        .map(AccountRendering.name)
      found.append(
        Observation(
          "lookups", .bad,
          "The lookups of \(names.joined(separator: ", ")) are not what their logins wrote: the next login of the "
            + "same user may make a second account.",
          remedy: "Use a copy of the book from before that change."))
    }
    guard !misled.isEmpty else { return found }
    let names = try reader.accounts().filter { misled.contains($0.account) }
      .map(AccountRendering.name)
    return found + [
      Observation(
        "lookups", .bad,
        "The book leads from the users of \(names.joined(separator: ", ")) to other accounts: their logins "
          + "are refused.", remedy: "Use a copy of the book from before that change.")
    ]
  }

  /// What an interrupted move has left.
  private func unfinishedMove(_ reader: BookReader) -> [Observation] {
    guard let former = reader.keyDescription.formers.first else { return [] }
    let target =
      switch reader.keyDescription.parameters["path"]?.text {
      case let path?: "file:\(path)"
      case nil: reader.keySource
      }
    return [
      Observation(
        "key", .note, "It has moved, and may still be at its former place too (\(former.source)).",
        remedy: "`gatebook key move \(target)` removes it there.")
    ]
  }
}
