internal import Gatebook

/// Logins that wait for a person, whichever process began them, as they are listed.
extension PendingLogin {
  /// The one of a book that a text names by its id, or by the beginning of that.
  ///
  /// - Throws: `state.mismatch` when it is none, `UsageError` when it is more than one.
  static func named(_ text: String, in book: SessionBook) async throws -> PendingLogin {
    let name = text.lowercased()
    let found = try await book.pendingLogins().filter {
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

  /// The documented object; without the page of a redirect, which is its person's alone.
  var json: JSON {
    .present([
      "id": .text(id.description), "method": .text(method), "server": .text(server.description),
      "awaits": .text(code == nil ? "redirect" : "code"), "until": .time(deadline),
      "userCode": code.map { .text($0.userCode) },
      "page": code.map { .text($0.page.description) },
      "redirect": code == nil ? .text(redirectURI) : nil,
    ])
  }

  /// A table of logins.
  static func table(_ logins: [PendingLogin], _ times: TimeText) -> TextTable {
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

  private var awaits: String {
    code.map { "code \($0.userCode) at \($0.page)" } ?? "redirect to \(redirectURI)"
  }
}
