internal import Gatebook

/// Finds the account that `--account` means.
enum AccountSelector {
  /// The one account that a text names.
  ///
  /// A label wins over an id, an id over `user@host`, all of them over the beginning of an id, which is
  /// two characters long at least: one alone is too easily typed by mistake.
  ///
  /// - Parameters:
  ///   - text: A label, an id or its beginning, or `user@host`.
  ///   - contexts: All accounts.
  /// - Returns: The account.
  /// - Throws: `UsageError` when it is none, or more than one.
  static func select(
    _ text: String, among contexts: [SessionContext]
  ) throws(UsageError) -> SessionContext {
    guard !text.isEmpty else { throw unknown(text, contexts) }
    let ways: [(SessionContext) -> Bool] = [
      { $0.label?.value == text },
      { $0.account.description == text.lowercased() },
      { isUser(text, of: $0) },
      { $0.account.description.hasPrefix(text.lowercased()) },
    ]
    for way in ways {
      let found = contexts.filter(way)
      if found.count > 1 { throw ambiguous(found) }
      guard let account = found.first else { continue }
      guard text.count > 1 || account.label?.value == text else { throw short(account) }
      return account
    }
    throw unknown(text, contexts)
  }

  /// Whether a text is a label's text; ids and positions begin with digits, so a label is never
  /// digits alone.
  ///
  /// - Parameter text: The label.
  /// - Throws: `UsageError` when it is not.
  static func checkLabel(_ text: String) throws(UsageError) {
    guard !LoginCommand.methods.contains(text) else {
      throw UsageError(
        "`\(text)` is the name of a login method.",
        remedy: "Choose another label: `gatebook login \(text)` could not mean the account.")
    }
    guard !text.isEmpty, !text.allSatisfy(\.isNumber) else {
      throw UsageError(
        "A label is never empty and never digits alone.",
        remedy: "Give it a letter: digits alone could be the beginning of an id.")
    }
    let isPrintable = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    guard text.count <= 64, isPrintable else {
      throw UsageError(
        "A label has 64 characters at most, and no control characters.",
        remedy: "Choose another label.")
    }
  }

  /// Whether a text is `user@host`; the user's name may have an `@` of its own.
  private static func isUser(_ text: String, of context: SessionContext) -> Bool {
    guard let user = context.loginName.value, let at = text.lastIndex(of: "@"),
      text[..<at] == user
    else { return false }
    let host = text[text.index(after: at)...].lowercased()
    let server = context.server.drop { $0 != "/" }.drop { $0 == "/" }
    return host == server || host == withoutPort(server)
  }

  private static func withoutPort(_ server: Substring) -> Substring {
    guard let colon = server.lastIndex(of: ":"), server[colon...].dropFirst().allSatisfy(\.isNumber)
    else { return server }
    return server[..<colon]
  }

  private static func ambiguous(_ found: [SessionContext]) -> UsageError {
    let ids = found.prefix(mostCandidates).map { "\($0.account.description.prefix(12))" }
    let rest = found.count - ids.count
    let list = ids.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    return UsageError(
      "That is ambiguous: it could be any of \(found.count) accounts.",
      remedy: "Name one by more of its id: \(list). `gatebook accounts` tells who they are.")
  }

  /// More would not be read.
  private static let mostCandidates = 10

  private static func short(_ account: SessionContext) -> UsageError {
    UsageError(
      "One character is too short for the beginning of an id.",
      remedy:
        "Give two at least: \(account.account.description.prefix(8)) is the account that begins "
        + "so.")
  }

  private static func unknown(_ text: String, _ contexts: [SessionContext]) -> UsageError {
    let name = Printable.text(text)
    let message = text.isEmpty ? "The account's name is empty." : "Unknown account `\(name)`."
    let labels = contexts.compactMap { $0.label?.value }
    guard let meant = NearMiss.nearest(to: text, among: labels) else {
      return UsageError(message, remedy: remedy(text, contexts))
    }
    return UsageError(
      message, remedy: "Did you mean `\(Printable.text(meant))`? See `gatebook accounts`.")
  }

  private static func remedy(_ text: String, _ contexts: [SessionContext]) -> String {
    guard !contexts.contains(where: { $0.loginName == .sealed }) else {
      return
        "Labels and users are sealed without the key: name it by its id, see `gatebook accounts`."
    }
    let ways = "Name it by its label, its id or the beginning of that, or as `user@host`"
    let users = contexts.filter { $0.loginName.value == text }.prefix(mostCandidates)
    guard !users.isEmpty else { return "\(ways): see `gatebook accounts`." }
    let ids = users.map { "\($0.account.description.prefix(8))" }.joined(separator: ", ")
    return "\(ways). A user of that name has: \(ids)."
  }
}
