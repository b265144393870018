internal import Gatebook
internal import GatebookSystem
internal import GatebookTestSupport

/// A valid token of one of many accounts, as an app asks for it: no server is asked.
struct TokenBench {
  /// Where the book is made.
  let path: String
  let accounts: Int
  let calls: Int

  func run() async throws(GatebookError) {
    let book = try await SessionBook.open(
      at: path, key: MemoryKeySource(), program: BenchBook.program, transport: Self.server,
      network: nil)
    var members: [AccountID] = []
    for number in 0..<accounts { members.append(try await logIn(number, book)) }
    // Each is read from the book once.
    for member in members { _ = try await book.token(for: member) }
    var latencies = Latencies()
    let start = ContinuousClock.now
    for call in 0..<calls {
      let number = call * Self.stride % accounts
      let begun = ContinuousClock.now
      let token = try await book.token(for: members[number])
      latencies.add(ContinuousClock.now - begun)
      guard token.value == Secret(Self.token(of: number)) else { throw Self.wrong }
    }
    let duration = ContinuousClock.now - start
    await book.close()
    print("\(Latencies.rate(calls, in: duration)) \(latencies.summary)")
  }

  /// Goes through the accounts in an order that no cache of the processor foresees.
  private static let stride = 7919

  private func logIn(_ number: Int, _ book: SessionBook) async throws(GatebookError) -> AccountID {
    guard let url = HTTPURL("https://bench.example/token") else { throw Self.wrong }
    let application = OAuth2Application(
      clientID: "client-\(number)", authentication: .post(Secret("a-client-secret")))
    let method = LoginMethod.oauth2(
      tokenURL: url, OAuth2Server(), application: application, flow: .clientCredentials)
    return try await book.logIn(method, label: nil).account
  }

  /// Names the token after the client that asks for it.
  private static let server = ScriptedTransport { request, _ throws(TransportFailure) in
    let fields = FormFields(decoding: request.body)
    let client = fields?["client_id"] ?? ""
    let number = client.split(separator: "-").last.flatMap { Int($0) } ?? 0
    let body = """
      {"access_token":"\(token(of: number))","token_type":"Bearer","expires_in":86400}
      """
    return HTTPReply(
      status: 200, fields: [HTTPField("Content-Type", "application/json")], body: Array(body.utf8))
  }

  private static func token(of number: Int) -> String { "token-of-client-\(number)" }

  private static var wrong: GatebookError {
    GatebookError(.contentUnexpected, "The token is another account's.", remedy: "Mend it.")
  }
}
