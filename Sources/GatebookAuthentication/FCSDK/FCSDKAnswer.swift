internal import GatebookCrypto
internal import GatebookEvents
internal import GatebookSystem

/// What a web application answers to a login that it accepts.
///
/// Only `sessionid` is required; `voiceUser`, `voiceDomain`, `id` and unknown names are attributes.
struct FCSDKAnswer {
  /// The session's id: opaque text of any length and alphabet.
  let sessionID: Secret
  /// Everything else that may be told.
  let attributes: UserAttributes

  /// Reads the body of a 2xx answer; `nil` for what is no JSON object or has no `sessionid`.
  ///
  /// - Parameters:
  ///   - body: The body.
  ///   - password: What was sent, in case the server repeats it.
  init?(_ body: [UInt8], password: Secret) {
    guard let facts = JSONDocument.read(body)?.object, let id = facts["sessionid"]?.text,
      !id.isEmpty
    else { return nil }
    sessionID = Secret(id)
    let secrets = Secrets(texts: [id, password.text])
    var told = Facts()
    for name in facts.names {
      guard let value = facts[name] else { continue }
      // A short password may be a part of a name by accident: what the protocol names is compared
      // as a whole.
      let isKnown = Self.known.contains(name)
      guard isKnown ? value.text != id : !Self.isSecret(name, value, secrets) else { continue }
      told[name] = value.flattened
    }
    attributes = UserAttributes(told)
  }

  private static let known = ["id", "voiceDomain", "voiceUser"]

  /// Whether the server named the user whom it authenticated.
  var namesUser: Bool { attributes["voiceUser"].map { !$0.isEmpty } ?? false }

  /// Words that make a name one of a secret, in lower case and without `_` and `-`.
  private static let marks = [
    "sessionid", "password", "passwd", "token", "secret", "credential", "cookie", "apikey",
  ]

  /// This login's secrets.
  private struct Secrets {
    let texts: [String]
    let search: EchoSearch

    init(texts: [String]) {
      self.texts = texts
      search = EchoSearch(texts)
    }
  }

  /// Whether a member, or one inside it, is a secret by its name or repeats one of this login's.
  private static func isSecret(_ name: String, _ value: FactValue, _ secrets: Secrets) -> Bool {
    let plain = name.lowercased().filter { $0 != "_" && $0 != "-" }
    return marks.contains { plain.contains($0) } || holdsSecret(value, secrets)
  }

  private static func holdsSecret(_ value: FactValue, _ secrets: Secrets) -> Bool {
    switch value {
    case .null, .bool: false
    case .integer(let number): secrets.texts.contains(String(number))
    case .text(let text): secrets.search.isAnyWord(in: text)
    case .list(let values): values.contains { holdsSecret($0, secrets) }
    case .object(let facts):
      facts.names.contains { name in
        facts[name].map { isSecret(name, $0, secrets) } ?? false
      }
    }
  }
}
