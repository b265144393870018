internal import Gatebook

/// What accounts are called in tables: their label, else the beginning of their id.
struct AccountNames: Sendable {
  private let names: [AccountID: String]

  init(_ contexts: [SessionContext]) {
    names = Dictionary(contexts.map { ($0.account, AccountRendering.name($0)) }) { $1 }
  }

  subscript(account: AccountID) -> String {
    names[account] ?? String(account.description.prefix(8))
  }
}
