internal import Gatebook

/// Says what `verify` has opened with the book's key, and what it has not.
struct SealedRendering {
  private let verdict: Verdict
  private let isKeyNamed: Bool

  /// Takes a verdict.
  ///
  /// - Parameters:
  ///   - verdict: The verdict.
  ///   - isKeyNamed: Whether a key was looked for: not with `--key none`.
  init(_ verdict: Verdict, isKeyNamed: Bool) {
    self.verdict = verdict
    self.isKeyNamed = isKeyNamed
  }

  /// One line for people.
  var line: String {
    guard let secrets = verdict.secrets else {
      let reason =
        isKeyNamed
        ? verdict.keyFailure?.message ?? "The book's key was not available without a question."
        : "`--key none` was given."
      return "Keys, secrets, documents and lookups were not checked. \(reason)"
    }
    var parts = [
      Self.count(secrets.keys, "account key"), Self.count(secrets.secrets, "secret"),
      Self.count(secrets.documents, "document"),
    ]
    if secrets.others > 0 { parts.append(Self.count(secrets.others, "other record")) }
    var sentences = [
      "Decrypted with the key: \(parts.joined(separator: ", "))."
    ]
    if secrets.lists > 0 {
      sentences.append(
        "Compared with the lists of logins: the lookups of \(Self.count(secrets.lists, "account"))."
      )
    }
    if secrets.takenLists > 0 {
      sentences.append(
        "\(Self.count(secrets.takenLists, "list")) of these came from an older version of the book."
      )
    }
    if secrets.unlisted > 0 {
      sentences.append(
        "Not compared: the lookups of \(Self.count(secrets.unlisted, "account")), which have no list yet."
      )
    }
    if !secrets.hasComparedGenerations {
      sentences.append("Not compared with the log: the generations of secrets.")
    }
    return sentences.joined(separator: " ")
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
