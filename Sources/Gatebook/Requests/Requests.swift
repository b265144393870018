/// An account's requests, and the tokens for those that an app sends itself.
struct Requests {
  let ledger: Ledger
  let challenges: Challenges
  let renewals: Renewals
  let offline: OfflineSessions

  /// The failure of an account's request to a server that its credentials do not go to.
  func foreign(_ url: HTTPURL, _ account: AccountID?) -> GatebookError {
    // A book that cannot be read now says nothing of others.
    let owners = (try? accounts(at: url)) ?? []
    let ids = owners.prefix(3).map { "\($0.account)" }.joined(separator: ", ")
    if owners.isEmpty, let own = account.flatMap({ try? ledger.reader.state(of: $0)?.server }),
      let server = HTTPURL(own)?.origin, server.host == url.origin.host,
      server.scheme != url.origin.scheme
    {
      var error = GatebookError(
        .originForeign, "\(url.origin) does not belong to the account's servers.",
        kept: "Nothing was sent.",
        remedy: "Use `\(server.scheme)`: the account's server is \(server).")
      // No option helps against a wrong address.
      error.setting = "scheme"
      return error
    }
    return GatebookError(
      .originForeign, "\(url.origin) does not belong to the account's servers.",
      kept: "Nothing was sent.",
      remedy: owners.isEmpty
        ? "If the account's credentials may be sent there, log in again with `LoginOptions.origins`."
        : "Send it as an account that belongs there: \(ids).")
  }

  /// The accounts whose credentials go to a URL: that logged in there, or were allowed to.
  func accounts(at url: HTTPURL) throws(GatebookError) -> [SessionContext] {
    try ledger.reader.accounts(at: url, now: ledger.clock.now())
  }
}
