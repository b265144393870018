internal import Gatebook

extension Examination {
  /// Where the key is, whether it answers, and what to do: the book's own word first.
  func key(_ reader: BookReader) -> [Observation] {
    let place = KeyPlace(reader, folder: call.surroundings.keyFolder)
    guard call.globals.key != .none else {
      return [
        Observation(
          "key", .note,
          "The book's key is \(place). It was not checked, because of `--key none`.")
      ]
    }
    do {
      let opened = try BookReader.open(at: path, key: try call.keySource(mayAsk: false))
      let text =
        call.globals.key == .automatic
        ? "The book's key is \(place), and it opens the book."
        : "The key of `--key` opens the book. The book says that its key is \(place)."
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
      return [
        Observation(
          "key", .bad, "Gatebook cannot find the folder of keys.",
          remedy:
            "Give `--key file:PATH`.")
      ]
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
          "The key of \(names(gone)) is missing, although the log shows no erase. Nothing of it can be "
            + "decrypted.",
          remedy:
            "Use a copy of the book that still has the key. Without one, run `gatebook recover -o FILE` "
            + "and log in again in the new book."))
    }
    if !kept.isEmpty {
      found.append(
        Observation(
          "account keys", .bad,
          kept.count == 1
            ? "\(names(kept)) was erased, but still has a key."
            : "\(names(kept)) were erased, but still have keys.",
          remedy:
            "`gatebook recover -o FILE` makes a book without these keys; then delete this one."))
    }
    return found
  }

  /// Whether the vault's secrets can be decrypted: no hash covers them, because they change.
  private func secrets(_ reader: BookReader) throws(GatebookError) -> Observation {
    let changed = try reader.accountsWithChangedSecrets()
    let accounts = try reader.accounts()
    // An account without its key has no secrets: that is reported as that.
    let keyless = Set(try reader.accountsWithoutKey())
    var gone: [SessionContext] = []
    for context in accounts where context.state.isUsable && !keyless.contains(context.account) {
      if try !reader.hasSecret(of: context.account, purpose: "session") { gone.append(context) }
    }
    guard !changed.isEmpty || !gone.isEmpty else {
      return Observation("secrets", .good, "All secrets of the accounts can be decrypted.")
    }
    var sentences: [String] = []
    if !changed.isEmpty {
      let names = accounts.filter { changed.contains($0.account) }.map(AccountRendering.name)
      sentences.append(
        "Secrets of \(names.joined(separator: ", ")) were changed and cannot be decrypted."
      )
    }
    if !gone.isEmpty {
      let names = gone.map(AccountRendering.name)
      sentences.append(
        "The session secrets of \(names.joined(separator: ", ")) are missing from the book."
      )
    }
    return Observation(
      "secrets", .bad, sentences.joined(separator: " "),
      remedy: "Log in again with these accounts: a login replaces the secrets.")
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
          "Use a copy of the book that still has the key. Without one, run `gatebook recover -o FILE` "
          + "and log in again in the new book.")
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
          "The lookups of \(names.joined(separator: ", ")) were changed: the next login of the same "
            + "user may create a second account.",
          remedy: "Use a copy of the book from before the change."))
    }
    guard !misled.isEmpty else { return found }
    let names = try reader.accounts().filter { misled.contains($0.account) }
      .map(AccountRendering.name)
    return found + [
      Observation(
        "lookups", .bad,
        "The lookups of \(names.joined(separator: ", ")) were changed and point to other accounts, so "
          + "logins of these users fail.", remedy: "Use a copy of the book from before the change.")
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
        "key", .note,
        "The key was moved, but a copy may still be at its old place (\(former.source)).",
        remedy: "`gatebook key move \(target)` removes that copy.")
    ]
  }
}
