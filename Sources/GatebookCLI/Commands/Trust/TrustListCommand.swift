internal import Gatebook

/// `gatebook trust list`.
struct TrustListCommand: Command {
  static let help = Help(
    "trust list", "List the keys and authorities that the account trusts.", in: .accounts,
    details: [
      "Lists certificate authorities, pinned keys, keys that were accepted although their certificates "
        + "have defects, and the account's client certificate."
    ],
    positionals: [.account], options: [Answers.standardInputOption],
    examples: ["gatebook trust list --account work", "gatebook trust list work"])

  func run(_ call: Call) async throws -> ExitCode {
    let trust = try await call.withBook { book in
      try await book.trust(of: try await call.account(book).account)
    }
    TrustEntry.print(trust, call.output)
    return .done
  }
}

/// `gatebook trust revoke`.
struct TrustRevokeCommand: Command {
  private static let key = Positional(
    "KEY", "the key, as `gatebook trust list` shows it; without it all keys", isOptional: true)

  static let help = Help(
    "trust revoke", "Remove accepted and pinned keys.", in: .accounts,
    details: [
      "Requests then need a certificate that a trusted authority signed. The command lists what the "
        + "account trusts afterwards."
    ],
    positionals: [key], options: [Answers.standardInputOption],
    examples: ["gatebook trust revoke --account work"])

  func run(_ call: Call) async throws -> ExitCode {
    let key = try call.arguments[Self.key].map { text throws(UsageError) in
      do throws(GatebookError) {
        return try KeyHash(text)
      } catch {
        throw UsageError(
          "`\(Printable.text(text))` is not the hash of a key.",
          remedy:
            "Copy the key from `gatebook trust list`.")
      }
    }
    let trust = try await call.withBook { book in
      try await book.revokeTrust(of: try await call.account(book).account, key: key)
    }
    TrustEntry.print(trust, call.output)
    return .done
  }
}
