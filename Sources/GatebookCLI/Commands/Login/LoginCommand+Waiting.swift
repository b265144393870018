internal import Gatebook

/// Logins that wait in the book, whichever process began them.
extension LoginCommand {
  /// Lists them.
  @MainActor static func list(_ call: Call) async throws -> ExitCode {
    let logins = try await call.withBook(delivers: false) { book in
      _ = try await call.namedAccount(book)
      return try await book.pendingLogins()
    }
    if call.output.isJSON {
      for login in logins { call.output.json(login.json) }
    } else if logins.isEmpty {
      call.output.message("No login is waiting.")
    } else {
      call.output.table(PendingLogin.table(logins, call.output.times))
    }
    return .done
  }

  /// Gives one up.
  @MainActor static func cancel(_ call: Call) async throws -> ExitCode {
    let name = try call.arguments.required(cancel)
    let login = try await call.withBook { book in
      _ = try await call.namedAccount(book)
      let login = try await PendingLogin.named(name, in: book)
      // If another process ended it meanwhile, that process reported how.
      try await book.cancelLogIn(login.id)
      return login
    }
    if call.output.isJSON {
      call.output.json(login.json)
    } else {
      call.output.line("Cancelled the waiting login \(login.name).")
    }
    return .done
  }

  /// Continues one with a code.
  @MainActor static func resume(_ call: Call) async throws -> ExitCode {
    let name = call.arguments[resume] ?? ""
    return try await call.showLogIn { book in
      let account = try await call.namedAccount(book)?.account
      let login = try await name.isEmpty ? lastCode(book, call) : code(name, book)
      let context = try await book.resumeLogIn(
        login.id, account: account, browser: call.codeScreen)
      return (context, login.label, login.savesCredentials)
    }
  }

  private static func code(_ name: String, _ book: SessionBook) async throws -> PendingLogin {
    let login = try await PendingLogin.named(name, in: book)
    guard login.code != nil else {
      throw GatebookError(
        .configurationInvalid, "This login waits for a redirect, not for a code.",
        kept: "It still waits.",
        remedy:
          "Finish it with `gatebook login --callback URL`, or end it with `gatebook login --cancel`."
      )
    }
    return login
  }

  /// The one whose code lives longest; how many others wait is said.
  @MainActor private static func lastCode(
    _ book: SessionBook, _ call: Call
  ) async throws -> PendingLogin {
    let logins = try await book.pendingLogins()
    guard let login = logins.last(where: { $0.code != nil }) else { throw nothingWaits }
    let others = logins.count - 1
    if others > 0 {
      let text = others == 1 ? "1 more login is waiting" : "\(others) more logins are waiting"
      call.output.message("\(text): see `gatebook login --waiting`.")
    }
    return login
  }

  private static let nothingWaits = GatebookError(
    .stateMismatch, "No login is waiting for a code.", kept: "No session was changed.",
    remedy: "It may have expired: log in again.")
}
