import Gatebook

/// Uses the account of which it hears, and waits for that.
actor CallingDelegate: LoginDelegate {
  // The book keeps its delegate alive.
  private weak var book: SessionBook?
  private let account: AccountID
  private let request: HTTPRequest
  private(set) var heard: [String] = []

  init(_ book: SessionBook, _ account: AccountID, _ request: HTTPRequest) {
    self.book = book
    self.account = account
    self.request = request
  }

  func onLoginResponse(_ context: SessionContext) async { await use("response") }

  func onLoginError(_ error: GatebookError) async { await use("error \(error.code)") }

  func onCredentialsSaved(_ context: SessionContext) async { await use("saved") }

  private func use(_ name: String) async {
    _ = try? await book?.token(for: account)
    _ = try? await book?.renewNow(account)
    let reply = try? await book?.send(request, as: account)
    heard.append("\(name), \(reply?.status ?? 0)")
  }
}
