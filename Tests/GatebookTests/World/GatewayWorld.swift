import Gatebook
import GatebookCurl
import GatebookFakes
import Testing

/// A book, a fake gateway on one clock with it, and the real transport between them.
struct GatewayWorld {
  let world: TestBook
  let gateway: FakeGateway
  let book: SessionBook
  let transport = CurlTransport()

  init(tls: LoopbackTLS? = nil) async throws {
    world = try TestBook()
    gateway = try FakeGateway(tls: tls, clock: world.clock)
    try gateway.start()
    book = try await world.open(transport)
  }

  /// The gateway's settings.
  func settings(
    secure: Bool = false, useCookies: Bool = true, field: HTTPField? = nil
  ) throws -> FCSDKGateway {
    try FCSDKGateway(
      server: "127.0.0.1", port: Int(gateway.port), secure: secure, useCookies: useCookies,
      field: field)
  }

  /// A login.
  func login(
    _ user: FakeGatewayUser = .ada, password: String? = nil, useCookies: Bool = true,
    field: HTTPField? = nil
  ) throws -> LoginMethod {
    .fcsdk(
      try settings(useCookies: useCookies, field: field), user: user.username,
      password: Secret(password ?? user.password))
  }

  func url(_ path: String) throws -> HTTPURL { try #require(HTTPURL(gateway.url + path)) }

  /// Lets all logins meet a fault, or none.
  func fail(with fault: LoopbackFault?) {
    gateway.clearFaults()
    if let fault { gateway.inject(fault, on: .login, times: nil) }
  }

  /// What a login that must fail fails with.
  func refusal(
    _ user: FakeGatewayUser = .ada, password: String? = nil
  ) async throws -> GatebookError {
    let method = try login(user, password: password)
    let error = await #expect(throws: GatebookError.self) { try await book.logIn(method) }
    return try #require(error)
  }

  /// The facts of the last event of a kind.
  func last(_ kind: EventKind) async throws -> Facts? {
    try await book.events(after: .start).last { $0.kind == kind.rawValue }?.data
  }

  /// What the vault holds, opened.
  func secret(of account: AccountID, _ purpose: String) throws -> String? {
    try BookReader.open(at: world.path, key: KeyFile(path: world.keyPath))
      .secret(of: account, purpose: purpose).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The logouts that arrived, with the id that the server read.
  func logouts() -> [String?] { gateway.requests(to: .logout).map(\.sessionID) }
}
