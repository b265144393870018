internal import Gatebook
internal import GatebookEvents
internal import GatebookTestSupport

/// A book of accounts that a library has logged in, with the secrets of their sessions.
struct AccountsBook {
  let path: String

  /// A part of the server that the accounts' passwords are for.
  static let url = HTTPURL("https://accounts.example/private")

  func make(accounts: Int) async throws(GatebookError) {
    let book = try await open()
    for number in 1...accounts {
      guard let url = Self.url else { return }
      _ = try await book.logIn(
        .http(url: url, user: "user-\(number)", password: Secret(Array("password".utf8))))
    }
    await book.close()
    print("accounts=\(accounts)")
  }

  /// Opens the book as an app does, or makes it; its key file is `PATH.key`.
  func open() async throws(GatebookError) -> SessionBook {
    try await SessionBook.open(
      at: path, key: KeyFile(path: "\(path).key"), program: BenchBook.program,
      transport: Self.server)
  }

  /// Accepts every password; no network.
  private static let server = ScriptedTransport { request, _ throws(TransportFailure) in
    guard request.fields.first("Authorization") == nil else { return HTTPReply(status: 200) }
    return HTTPReply(
      status: 401, fields: [HTTPField("WWW-Authenticate", "Basic realm=\"private\"")])
  }
}
