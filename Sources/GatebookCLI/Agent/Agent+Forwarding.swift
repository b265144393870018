internal import Gatebook

extension Agent {
  /// Sends a program's request as the account whose own server it names, and counts it.
  func forward(
    _ request: HTTPRequest, of program: CallingProgram?, _ book: SessionBook
  ) async throws(GatebookError) -> HTTPReply {
    var request = request
    let wanted = request.fields.first(Self.accountField)
    request.fields.removeAll { $0.name.lowercased() == Self.accountField.lowercased() }
    let origin = request.url.origin
    for scheme in ["https", "http"] {
      guard let url = Self.url(request.url, by: scheme) else { continue }
      let accounts = try await book.accounts(at: url)
      guard !accounts.isEmpty else { continue }
      guard let account = Self.account(wanted, among: accounts) else {
        throw Self.unclear(wanted, accounts, origin)
      }
      request.url = url
      forwards.count(account.account, program, at: clock.now())
      return try await book.send(request, as: account.account)
    }
    throw GatebookError(
      .originForeign, "No account of the book belongs to \(Printable.text(origin.host)).",
      kept: "Nothing was sent.",
      remedy: "Log in there, or allow the server with `--allow-origin` at the account's login.")
  }

  /// Records the requests that went through the agent, as those of a proxy.
  ///
  /// - Parameters:
  ///   - book: The open book.
  ///   - now: The time on a clock that never jumps; `nil` where this is the last record.
  func recordForwards(in book: SessionBook, at now: Duration? = nil) async {
    for (account, use) in forwards.take(at: now) {
      do throws(GatebookError) {
        try await book.recordUse(use, since: nil, isEnd: false, of: account)
      } catch {
        forwards.keep(use, of: account)
      }
    }
  }

  /// The same place at the same host; the usual port of one scheme becomes that of the other.
  private static func url(_ url: HTTPURL, by scheme: String) -> HTTPURL? {
    let origin = url.origin
    let isUsual = origin.port == (origin.isSecure ? 443 : 80)
    let host = origin.host.contains(":") ? "[\(origin.host)]" : origin.host
    return HTTPURL("\(scheme)://\(host)\(isUsual ? "" : ":\(origin.port)")\(url.target)")
  }

  /// The account that the request names, else the current one or the only one that can be used.
  private static func account(
    _ wanted: String?, among accounts: [SessionContext]
  ) -> SessionContext? {
    if let wanted { return try? AccountSelector.select(wanted, among: accounts) }
    let usable = accounts.filter(\.state.isUsable)
    let able = usable.isEmpty ? accounts : usable
    return able.count == 1 ? able.first : able.first(where: \.isCurrent)
  }

  private static func unclear(
    _ wanted: String?, _ accounts: [SessionContext], _ origin: Origin
  ) -> GatebookError {
    let host = Printable.text(origin.host)
    let names = accounts.prefix(5).map { Printable.text(AccountRendering.name($0)) }
    return GatebookError(
      .configurationInvalid,
      wanted == nil
        ? "\(accounts.count) accounts of the book belong to \(host), and none is the current one."
        : "No account of that name belongs to \(host).",
      kept: "Nothing was sent.",
      remedy: "Add the field `\(accountField)` with one of: \(names.joined(separator: ", ")).")
  }
}
