import FaultyDisk
import GatebookCurl
import GatebookFakes
import GatebookTestSupport
import Glibc
import Testing

@testable import Gatebook

/// Rule 6 on a full disk. In the suite of the other full disks, because there is one plan at a
/// time.
extension FullDiskTests {
  @Test func `who cannot write down that a server was told does not tell it every second`()
    async throws
  {
    let folder = try TemporaryFolder()
    let clock = FixedClock()
    let portal = try FakeLiferayPortal(clock: clock)
    portal.switches.hasRevocation = true
    try portal.start()
    defer { portal.stop() }
    let transport = FillingRevocations(folder.path)
    let key = MemoryKeySource()
    func open(_ policy: RenewalPolicy) async throws(GatebookError) -> SessionBook {
      try await SessionBook.open(
        at: folder.file("test.gatebook"), key: key, program: TestBook.program,
        transport: transport, clock: clock, wait: .zero, renewalPolicy: policy)
    }
    let first = try await open(.beforeUse)
    let ada = try await first.logIn(method(portal))
    portal.inject(.status(503), on: .revoke)
    _ = try await first.logOut(ada.account)
    await first.close()
    clock.advance(by: .seconds(60))
    let sent = portal.requests(to: .revoke).count
    await transport.fillDisk()
    defer { FaultyDisk.heal() }
    let book = try await open(.inBackground)
    let end = ContinuousClock.now + .seconds(10)
    while await book.courier != nil, ContinuousClock.now < end { await Task.yield() }
    #expect(await book.courier == nil, "it goes on asking")
    // Both tokens, once.
    #expect(portal.requests(to: .revoke).count == sent + 2)
    #expect(try await book.waitingDeliveries(of: ada.account) == 1)
    #expect(FaultyDisk.heal() > 0)
    #expect(try await book.sync().delivered == 1)
    await book.close()
  }

  /// A login whose tokens can be taken back.
  private func method(_ portal: FakeLiferayPortal) throws -> LoginMethod {
    let client = FakePortalApplication.confidential
    let user = FakePortalUser.ada
    var paths = LiferayOAuth2Paths()
    paths.revoke = "o/oauth2/revoke"
    return .liferay(
      LiferayPortal(
        server: try #require(HTTPURL(portal.url)), companyID: user.companyID, version: .v7),
      .oauth2Password(
        user: user.emailAddress, password: Secret(user.password), clientID: client.clientID,
        clientSecret: Secret(try #require(client.secret)), paths: paths))
  }
}

/// Sends on, and fills the disk for good when the revocation endpoint has answered.
private actor FillingRevocations: Transport {
  private let transport = CurlTransport()
  private let folder: String
  private var isFilling = false

  init(_ folder: String) { self.folder = folder }

  func fillDisk() { isFilling = true }

  func send(
    _ request: HTTPRequest, through route: Route
  ) async throws(TransportFailure) -> HTTPReply {
    let reply = try await transport.send(request, through: route)
    if isFilling, request.url.path.hasSuffix("/oauth2/revoke") {
      isFilling = false
      FaultyDisk.arm(.fail(write: 1, error: ENOSPC, lasting: true), under: folder)
    }
    return reply
  }
}

extension SessionBook {
  fileprivate var courier: Task<Void, Never>? { outbox.courier }
}
