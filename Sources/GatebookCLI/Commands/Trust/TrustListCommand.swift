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
    exits: [.done, .usage, .loginNeeded, .damaged, .busy, .cannotOpen, .cancelled],
    examples: ["gatebook trust list --account work", "gatebook trust list work"])

  func run(_ call: Call) async throws -> ExitCode {
    let trust = try await call.withBook { book in
      try await book.trust(of: try await call.account(book).account)
    }
    TrustRendering(trust).print(call.output)
    return .done
  }
}
