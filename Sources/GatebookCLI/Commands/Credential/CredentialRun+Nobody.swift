internal import Gatebook

/// What a person reads where no account answers. A program gets no credential then, and would say
/// nothing of Gatebook.
extension CredentialRun {
  /// The line; `nil` for a server that this book has nothing to do with, because a helper may be
  /// asked about each server.
  func line(
    where question: CredentialQuestion, _ named: AccountID?, _ reader: BookReader
  ) throws -> String? {
    if let line = helper.nobody { return line }
    guard let url = question.urls?.first else { return nil }
    let there = try (question.urls ?? []).flatMap {
      try reader.credentialHolders(at: $0, now: call.now).map(\.context)
    }
    if let user = question.user, !there.isEmpty,
      named.map({ named in there.contains { $0.account == named } }) ?? true
    {
      return
        "No account of this book at \(url.origin) is the user \(user) that \(helper.program) asks "
        + "for. Accounts there: \(there.map(AccountRendering.name).joined(separator: ", "))."
    }
    let others = try reader.accounts(at: call.now).filter { $0.state != .ended(.erased) }
    if let named {
      return others.first { context in
        context.account == named && !there.contains { $0.account == named }
      }.map { line(of: $0, url, reader) }
    }
    let near = others.filter { Self.isNear($0, url) }
    return (near.count == 1 ? near.first : near.first(where: \.isCurrent))
      .map { line(of: $0, url, reader) }
  }

  /// Whether an account is for the same machine, by another port or scheme.
  private static func isNear(_ context: SessionContext, _ url: HTTPURL) -> Bool {
    guard let own = HTTPURL(context.server)?.origin, own != url.origin else { return false }
    return own.host == url.origin.host || (own.isLoopback && url.origin.isLoopback)
  }

  private func line(of context: SessionContext, _ url: HTTPURL, _ reader: BookReader) -> String {
    let name = AccountRendering.name(context)
    let own = HTTPURL(context.server)
    let start = "The account \(name) is not for \(url.origin). "
    if own?.origin.isSecure == true, !url.origin.isSecure, !url.origin.isLoopback {
      return start + "It is for \(context.server), and http would show its secret to the network."
    }
    let holders = own.flatMap { try? reader.credentialHolders(at: $0, now: call.now) } ?? []
    let credential = holders.first { $0.context.account == context.account }?.credential
    if credential?.kind == .password {
      return start
        + "Its password is for its own server. `gatebook login \(url.origin)` logs in there."
    }
    let settings = try? reader.savedSettings(of: context.account)
    let origins = (settings?.options.origins ?? []) + [url.origin]
    let words = origins.flatMap { ["--allow-origin", "\($0)"] }
    let login = NextLogin(context, settings, options: call.givenPlace)
    let command = login.command(words).map { "`\($0)` logs in again and allows it" }
    return start + "If its credentials may go there: "
      + (command ?? "log in again with `--allow-origin \(url.origin)`") + "."
  }
}
