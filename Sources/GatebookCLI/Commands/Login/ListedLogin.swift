internal import Gatebook

/// A login that waits for a person, whichever process began it.
enum ListedLogin: Sendable {
  /// Its code is entered on another device.
  case code(DeviceLogin)
  /// A browser brings its redirect, or the person its code.
  case redirect(PendingLogin)

  /// All of a book, the oldest end first.
  static func all(in book: SessionBook) async throws(GatebookError) -> [ListedLogin] {
    let codes = try await book.deviceLogins().map { ListedLogin.code($0) }
    let redirects = try await book.pendingLogins().map { ListedLogin.redirect($0) }
    return (codes + redirects).sorted { $0.deadline < $1.deadline }
  }

  /// The one of a book that a text names by its id, or by the beginning of that.
  ///
  /// - Throws: `state.mismatch` when it is none, `UsageError` when it is more than one.
  static func named(_ text: String, in book: SessionBook) async throws -> ListedLogin {
    let name = text.lowercased()
    let found = try await all(in: book).filter {
      name.count >= 2 && $0.id.description.hasPrefix(name)
    }
    guard found.count < 2 else {
      throw UsageError(
        "`\(Printable.text(text))` is ambiguous: it matches \(found.count) waiting logins.",
        remedy: "Type more of the id: `gatebook login --waiting --json` shows it.")
    }
    guard let login = found.first else {
      throw GatebookError(
        .stateMismatch,
        "No login with the id `\(Printable.text(text))` is waiting.",
        kept: "Other logins still wait.",
        remedy: "`gatebook login --waiting` lists them. If the login expired, log in again.")
    }
    return login
  }

  /// The login attempt; its events carry it as their session.
  var id: SessionID {
    switch self {
    case .code(let login): login.id
    case .redirect(let login): login.id
    }
  }

  /// When it expires.
  var deadline: Timestamp {
    switch self {
    case .code(let login): login.deadline
    case .redirect(let login): login.deadline
    }
  }

  /// The documented object; without the page of a redirect, which is its person's alone.
  var json: JSON {
    switch self {
    case .code(let login):
      [
        "id": .text(id.description), "method": .text(login.method),
        "server": .text(login.server.description), "awaits": .text("code"),
        "until": .time(deadline),
        "userCode": .text(login.code.userCode), "page": .text(login.code.page.description),
      ]
    case .redirect(let login):
      [
        "id": .text(id.description), "method": .text(login.method),
        "server": .text(login.server.description), "awaits": .text("redirect"),
        "until": .time(deadline),
        "redirect": .text(login.redirectURI),
      ]
    }
  }

  /// A table of logins.
  static func table(_ logins: [ListedLogin], _ times: TimeText) -> TextTable {
    var table = TextTable(
      [
        .whole("id"), "method", "server", TableColumn("awaits", .wrapped(atLeast: 24)),
        .whole("until"),
      ], givesUp: ["awaits", "method"])
    for login in logins {
      table.add([
        TextTable.Cell(login.name), TextTable.Cell(login.method),
        TextTable.Cell(login.server.description), TextTable.Cell(login.awaits),
        TextTable.Cell(times.text(login.deadline)),
      ])
    }
    return table
  }

  /// The beginning of its id.
  var name: String { String(id.description.prefix(8)) }

  private var method: String {
    switch self {
    case .code(let login): login.method
    case .redirect(let login): login.method
    }
  }

  private var server: Origin {
    switch self {
    case .code(let login): login.server
    case .redirect(let login): login.server
    }
  }

  private var awaits: String {
    switch self {
    case .code(let login): "code \(login.code.userCode) at \(login.code.page)"
    case .redirect(let login): "redirect to \(login.redirectURI)"
    }
  }
}
