internal import Gatebook

/// Says what `verify` has opened with the book's key, and what it has not.
struct SealedRendering {
  let verdict: Verdict
  /// Whether a key was looked for: not with `--key none`.
  let isKeyNamed: Bool

  /// One line for people.
  var line: String {
    guard let secrets = verdict.secrets else {
      let reason =
        isKeyNamed
        ? verdict.keyFailure?.message ?? "The book's key was not available without a question."
        : "`--key none` was given."
      return "Keys, secrets, documents and lookups were not checked. \(reason)"
    }
    let parts = [
      Self.count(secrets.keys, "account key"), Self.count(secrets.secrets, "secret"),
      Self.count(secrets.documents, "document"),
      secrets.others > 0 ? Self.count(secrets.others, "other record") : nil,
    ].compactMap(\.self)
    let sentences = [
      "Decrypted with the key: \(parts.joined(separator: ", ")).",
      secrets.lists > 0
        ? "Compared with the lists of logins: the lookups of \(Self.count(secrets.lists, "account"))."
        : nil,
      secrets.takenLists > 0
        ? "\(Self.count(secrets.takenLists, "list")) of these came from an older version of the book."
        : nil,
      secrets.unlisted > 0
        ? "Not compared: the lookups of \(Self.count(secrets.unlisted, "account")), which have no list yet."
        : nil,
      secrets.hasComparedGenerations
        ? nil : "Not compared with the log: the generations of secrets.",
    ]
    return sentences.compactMap(\.self).joined(separator: " ")
  }

  /// The same for programs.
  var json: JSON {
    guard let secrets = verdict.secrets else {
      let code: FailureCode? = isKeyNamed ? verdict.keyFailure?.code ?? .keyMissing : nil
      return .present(["opened": .bool(false), "code": code.map { .text($0.rawValue) }])
    }
    return .present([
      "opened": .bool(true), "keys": .integer(secrets.keys), "secrets": .integer(secrets.secrets),
      "documents": .integer(secrets.documents), "others": .integer(secrets.others),
      "lists": .integer(secrets.lists), "takenLists": .integer(secrets.takenLists),
      "unlisted": .integer(secrets.unlisted),
      "generations": .bool(secrets.hasComparedGenerations),
    ])
  }

  private static func count(_ number: Int64, _ what: String) -> String {
    "\(number) \(what)\(number == 1 ? "" : "s")"
  }
}
