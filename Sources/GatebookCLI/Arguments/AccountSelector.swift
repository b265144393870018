internal import Gatebook
internal import GatebookSystem

/// Finds the account that `--account` means.
enum AccountSelector {
  /// The one account that a text names.
  ///
  /// A label wins over an id, an id over `user@host`, all of them over the beginning of an id,
  /// which is two characters long at least: one alone is too easily typed by mistake.
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
      if found.count > 1 { throw ambiguous(text, found) }
      guard let account = found.first else { continue }
      guard text.count > 1 || account.label?.value == text else { throw short(text, account) }
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
        remedy: "Choose another label: `gatebook login \(text)` already means that method.")
    }
    guard !text.isEmpty, !text.allSatisfy(\.isNumber) else {
      throw UsageError(
        "A label must not be empty and must not be all digits.",
        remedy: "Put at least one letter into it: digits alone could be the beginning of an id.")
    }
    let isPrintable = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    guard text.count <= 64, isPrintable else {
      throw UsageError(
        "A label may have at most 64 characters, and no control characters.",
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
    // Its port may be left out.
    let port = Pattern(":[0-9]*$").match(in: server)
    return host == server || port.map { host == server[..<$0.whole.startIndex] } == true
  }

  private static func ambiguous(_ text: String, _ found: [SessionContext]) -> UsageError {
    let ids = found.prefix(mostCandidates).map { context in
      context.account.description.prefix(12)
        + (context.label?.value.map { " (\(Printable.text($0)))" } ?? "")
    }
    let rest = found.count - ids.count
    let list = ids.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    return UsageError(
      "`\(Printable.text(text))` is ambiguous: it matches \(found.count) accounts.",
      remedy: "Type more of the id: \(list). `gatebook accounts` lists them all.")
  }

  /// More would not be read.
  private static let mostCandidates = 10

  private static func short(_ text: String, _ account: SessionContext) -> UsageError {
    UsageError(
      "`\(Printable.text(text))` is too short for the beginning of an id.",
      remedy:
        "Type at least two characters: the account that begins with it is "
        + "\(account.account.description.prefix(8)).")
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
        "Labels and user names cannot be read without the book's key. Use the account's id: see "
        + "`gatebook accounts`."
    }
    let ways = "Use its label, its id, the beginning of its id, or `user@host`"
    let users = contexts.filter { $0.loginName.value == text }.prefix(mostCandidates)
    guard !users.isEmpty else { return "\(ways): see `gatebook accounts`." }
    let ids = users.map { "\($0.account.description.prefix(8))" }
    return "\(ways). Accounts of a user with that name: \(ids.joined(separator: ", ")). "
      + "`gatebook rename \(ids[0]) LABEL` gives \(ids.count == 1 ? "it" : "the first") a label."
  }
}
