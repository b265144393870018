internal import Gatebook

/// What a login changes besides the session of its account.
struct FormerAccounts {
  private let current: SessionContext?
  /// Where accounts of HTTP authentication logged in.
  private let pages: [AccountID: String]

  /// Reads the accounts before a login.
  ///
  /// - Parameter book: The book.
  /// - Throws: Storage failures.
  init(_ book: SessionBook) async throws(GatebookError) {
    let accounts = try await book.accounts()
    current = accounts.first(where: \.isCurrent)
    var pages: [AccountID: String] = [:]
    for context in accounts where context.method == "http" {
      pages[context.account] = await Self.page(of: context.account, book)
    }
    self.pages = pages
  }

  private static func page(of account: AccountID, _ book: SessionBook) async -> String? {
    (try? await book.savedSettings(of: account))?.values["url"]?.text
  }

  /// What a login has changed, as sentences.
  func changes(
    by context: SessionContext, in book: SessionBook
  ) async throws(GatebookError) -> [String] {
    var told: [String] = []
    let name = Printable.text(AccountRendering.name(context))
    if let current, current.account != context.account {
      let former = Printable.text(AccountRendering.name(current))
      told.append("\(name) is now the current account; before it was \(former).")
    }
    if let page = pages[context.account],
      let now = await Self.page(of: context.account, book), now != page
    {
      told.append("\(name) logged in at \(Printable.text(page)) before; this login replaces that.")
    }
    return told
  }
}
