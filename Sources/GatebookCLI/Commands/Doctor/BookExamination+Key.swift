internal import Gatebook

extension BookExamination {
  /// Where the key is, whether it answers, and what to do: the book's own word first.
  func key() -> [Observation] {
    let place = KeyPlace(reader, folder: call.surroundings.keyFolder)
    guard call.globals.key != .none else {
      return [
        .note("key", "The book's key is \(place). It was not checked, because of `--key none`.")
      ]
    }
    do {
      let opened = BookExamination(
        call: call, path: path,
        reader: try BookReader.open(at: path, key: try call.keySource(mayAsk: false)))
      let text =
        call.globals.key == .automatic
        ? "The book's key is \(place), and it opens the book."
        : "The key of `--key` opens the book. The book says that its key is \(place)."
      let own: [Observation] = [.good("key", text)] + unfinishedMove()
      return own + [try opened.secrets()] + (try opened.brokenKeys()) + (try opened.lookups())
    } catch let error as GatebookError {
      let text = "The book's key is \(place). \(error.message)"
      // A passphrase that nobody was asked for is nothing to mend.
      let isAsked = reader.keySource == "passphrase" && error.code == .keyMissing
      return [isAsked ? .note("key", text, error.remedy) : .bad("key", text, error.remedy)]
    } catch {
      return [.bad("key", "Gatebook cannot find the folder of keys.", "Give `--key file:PATH`.")]
    }
  }

  /// Whether those accounts alone have no key that were erased: no hash says which have one.
  func accountKeys() throws(GatebookError) -> [Observation] {
    let kept = try reader.erasedAccountsWithKey()
    return faults("account keys", Self.ids(try reader.accountsWithoutKey()), Self.keyCopy) {
      names in
      "The key of \(names) is missing, although the log shows no erase. Nothing of it can be decrypted."
    }
      + faults(
        "account keys", Self.ids(kept),
        "`gatebook recover -o FILE` makes a book without these keys; then delete this one."
      ) { names in
        kept.count == 1
          ? "\(names) was erased, but still has a key."
          : "\(names) were erased, but still have keys."
      }
  }

  /// Whether the vault's secrets can be decrypted: no hash covers them, because they change.
  private func secrets() throws(GatebookError) -> Observation {
    let changed = try names(of: reader.accountsWithChangedSecrets())
    // An account without its key has no secrets: that is reported as that.
    let keyless = Set(try reader.accountsWithoutKey())
    var gone: [AccountID] = []
    for context in try accounts where context.state.isUsable && !keyless.contains(context.account) {
      let hasSecret = try reader.hasSecret(of: context.account, purpose: "session")
      if !hasSecret { gone.append(context.account) }
    }
    let sentences = [
      changed.map { "Secrets of \($0) were changed and cannot be decrypted." },
      try names(of: gone).map { "The session secrets of \($0) are missing from the book." },
    ].compactMap(\.self)
    guard !sentences.isEmpty else {
      return .good("secrets", "All secrets of the accounts can be decrypted.")
    }
    return .bad(
      "secrets", sentences.joined(separator: " "),
      "Log in again with these accounts: a login replaces the secrets.")
  }

  /// Whether each account's key opens: without it an account can never log in again in this book.
  private func brokenKeys() throws(GatebookError) -> [Observation] {
    faults("account keys", Self.ids(try reader.accountsWithoutWorkingKey()), Self.keyCopy) {
      names in
      "The key of \(names) was changed and cannot be decrypted."
    }
  }

  /// Whether users lead to their own accounts: no hash covers what finds them.
  private func lookups() throws(GatebookError) -> [Observation] {
    let misled = try reader.misledAccounts()
    let changed = Set(try reader.accountsWithChangedLookups()).subtracting(misled)
    let remedy = "Use a copy of the book from before the change."
    return try faults("lookups", names(of: changed), remedy) { names in
      "The lookups of \(names) were changed: the next login of the same user may create a second "
        + "account."
    }
      + faults("lookups", names(of: misled), remedy) { names in
        "The lookups of \(names) were changed and point to other accounts, so logins of these users "
          + "fail."
      }
  }

  private static let keyCopy =
    "Use a copy of the book that still has the key. Without one, run `gatebook recover -o FILE` and "
    + "log in again in the new book."

  /// What is wrong with accounts, by their names; nothing where there are none.
  private func faults(
    _ subject: String, _ names: String?, _ remedy: String, _ text: (String) -> String
  ) -> [Observation] {
    names.map { [.bad(subject, text($0), remedy)] } ?? []
  }

  /// What accounts are called; `nil` for none.
  private func names(of ids: some Collection<AccountID>) throws(GatebookError) -> String? {
    let names = try accounts.filter { ids.contains($0.account) }.map(AccountRendering.name)
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }

  /// The beginnings of ids; `nil` for none.
  private static func ids(_ ids: [AccountID]) -> String? {
    ids.isEmpty ? nil : ids.map { String($0.description.prefix(8)) }.joined(separator: ", ")
  }

  /// What an interrupted move has left.
  private func unfinishedMove() -> [Observation] {
    guard let former = reader.keyDescription.formers.first else { return [] }
    let path = reader.keyDescription.parameters["path"]?.text
    let target = path.map { "file:\($0)" } ?? reader.keySource
    return [
      .note(
        "key", "The key was moved, but a copy may still be at its old place (\(former.source)).",
        "`gatebook key move \(target)` removes that copy.")
    ]
  }
}
