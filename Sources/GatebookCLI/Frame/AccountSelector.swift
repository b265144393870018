internal import Gatebook

/// Finds the account that `--account` means.
enum AccountSelector {
  /// The one account that a text names.
  ///
  /// A label wins over an id, an id over `user@host`, all of them over the beginning of an id.
  ///
  /// - Parameters:
  ///   - text: A label, an id or its beginning, or `user@host`.
  ///   - contexts: All accounts.
  /// - Returns: The account.
  /// - Throws: `UsageError` when it is none, or more than one.
  static func select(
    _ text: String, among contexts: [SessionContext]
  ) throws(UsageError) -> SessionContext {
    let ways: [(SessionContext) -> Bool] = [
      { $0.label?.value == text },
      { $0.account.description == text.lowercased() },
      { isUser(text, of: $0) },
      { text.count >= 2 && $0.account.description.hasPrefix(text.lowercased()) },
    ]
    for way in ways {
      let found = contexts.filter(way)
      if found.count > 1 { throw ambiguous(found) }
      if let account = found.first { return account }
    }
    throw unknown(contexts)
  }

  /// Whether a text is a label's text; ids and positions begin with digits, so a label is never
  /// digits alone.
  ///
  /// - Parameter text: The label.
  /// - Throws: `UsageError` when it is not.
  static func checkLabel(_ text: String) throws(UsageError) {
    guard !text.isEmpty, !text.allSatisfy(\.isNumber) else {
      throw UsageError(
        "A label is never empty and never digits alone.",
        remedy: "Give it a letter: digits alone could be the beginning of an id.")
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
    let ids = found.map { "\($0.account.description.prefix(12))" }.joined(separator: ", ")
    return UsageError(
      "That names \(found.count) accounts.", remedy: "Name one by its id: \(ids).")
  }

  private static func unknown(_ contexts: [SessionContext]) -> UsageError {
    let isSealed = contexts.contains { $0.loginName == .sealed }
    return UsageError(
      "There is no such account.",
      remedy: isSealed
        ? "Labels and users are sealed without the key: name it by its id, see `gatebook accounts`."
        : "See `gatebook accounts`.")
  }
}
