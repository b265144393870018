internal import Gatebook

extension BookExamination {
  /// Where the key is, whether it answers, and what to do: the book's own word first.
  ///
  /// - Parameter isLogWhole: Whether a fold of the log is one of all that happened.
  /// - Returns: What was found, also in what only the key opens.
  func key(isLogWhole: Bool) -> [Observation] {
    if isPulled {
      return [
        .good(
          "key",
          "No key belongs to this copy, because it was pulled from a fleet. Personal data stays encrypted."
        )
      ]
    }
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
      return own + (try opened.sealed(isLogWhole: isLogWhole))
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
    return try faults("account keys", Self.ids(reader.accountsWithoutKey()), Self.keyCopy) {
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

  /// What no hash of the log covers, as `verify` finds it, by what has to be done about it.
  ///
  /// Missing keys, and keys of erased accounts, are found without the book's key too.
  private func sealed(isLogWhole: Bool) throws(GatebookError) -> [Observation] {
    let problems = Dictionary(
      grouping: try reader.sealedProblems(hasWholeLog: isLogWhole), by: \.fault)
    func owners(_ fault: SealedProblem.Fault) -> [AccountID] {
      problems[fault]?.compactMap(\.account) ?? []
    }
    func texts(_ fault: SealedProblem.Fault) -> String? {
      problems[fault].map { Set($0.map(\.text)).sorted().joined(separator: " ") }
    }
    // Without its key, nothing of an account can be decrypted.
    let hidden = [SealedProblem.Fault.ownerless, .keyMissing, .keyChanged]
    var found = try secrets(
      changed: names(of: owners(.secretChanged)), replaced: names(of: owners(.secretReplaced)),
      missing: names(of: owners(.sessionMissing)))
    if found.isEmpty, hidden.allSatisfy({ problems[$0] == nil }) {
      found.append(.good("secrets", "All secrets in the book can be decrypted."))
    }
    found += try faults("secrets", texts(.ownerless), Self.earlierCopy) { $0 }
    found += try faults("account keys", Self.ids(owners(.keyChanged)), Self.keyCopy) { names in
      "The key of \(names) was changed and cannot be decrypted."
    }
    found += try lookups(owners(.lookups))
    found += try faults("lookups", texts(.lookupsAstray), Self.earlierCopy) { $0 }
    found += try faults("waiting logins", texts(.attempt), "Begin that login again.") { $0 }
    found += try faults(
      "documents", texts(.document),
      "When Gatebook needs the document, it asks the server again and replaces the copy."
    ) { $0 }
    return found + (try faults("backups", texts(.copy), Self.earlierCopy) { $0 })
  }

  /// Whether the secrets of accounts can be decrypted, and are those that the log knows.
  private func secrets(
    changed: String?, replaced: String?, missing: String?
  ) throws(GatebookError) -> [Observation] {
    let sentences = [
      changed.map { "Secrets of \($0) were changed and cannot be decrypted." },
      replaced.map { "The session secrets of \($0) were replaced by other versions." },
      missing.map { "The session secrets of \($0) are missing from the book." },
    ].compactMap(\.self)
    return try faults(
      "secrets", sentences.isEmpty ? nil : sentences.joined(separator: " "),
      "Log in again with these accounts: a login replaces the secrets."
    ) { $0 }
  }

  /// Whether users lead to their own accounts.
  private func lookups(_ found: [AccountID]) throws(GatebookError) -> [Observation] {
    let misled = try reader.misledAccounts()
    let changed = Set(found).subtracting(misled)
    return try faults("lookups", names(of: changed), Self.earlierCopy) { names in
      "The lookups of \(names) were changed: the next login of the same user may create a second "
        + "account."
    }
      + faults("lookups", names(of: misled), Self.earlierCopy) { names in
        "The lookups of \(names) were changed and point to other accounts, so logins of these users "
          + "fail."
      }
  }

  private static let earlierCopy = "Use a copy of the book from before the change."

  private static let keyCopy =
    "Use a copy of the book that still has the key. Without one, run `gatebook recover -o FILE` and "
    + "log in again in the new book."

  /// What is wrong with accounts, by their names; nothing where there are none.
  private func faults(
    _ subject: String, _ names: String?, _ remedy: String, _ text: (String) -> String
  ) throws(GatebookError) -> [Observation] {
    guard let names else { return [] }
    return [try damaged(subject, text(names), remedy)]
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
