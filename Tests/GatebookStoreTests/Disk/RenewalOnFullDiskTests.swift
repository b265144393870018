import FaultyDisk
import Gatebook
import GatebookCurl
import GatebookFakes
import GatebookTestSupport
import Glibc
import Testing

@testable import GatebookStore

/// Rule 5: the disk is full from the moment on when the server has replaced the refresh token.
///
/// In the suite of the other full disks, because there is one plan at a time.
extension FullDiskTests {
  @Test func `the reserve takes the answer of a server that has rotated`() async throws {
    let stage = try await RotationStage()
    defer { FaultyDisk.heal() }
    // What the reserve gives back is enough: only the first try to write fails.
    await stage.transport.fillDisk(.fail(write: 1, error: ENOSPC, lasting: false))
    let token = try await stage.book.token()
    #expect(FaultyDisk.heal() > 1)
    #expect(token.isRecorded)
    #expect(await stage.transport.hadReserve == true)
    #expect(access(stage.reserve, F_OK) != 0, "the reserve was not given back")
    #expect(try stage.kinds().suffix(2) == ["refresh.started", "refresh.succeeded"])
    #expect(text(token) == stage.liveToken)
    #expect(text(try await stage.open().token()) == stage.liveToken)
    #expect(stage.refreshes == 1)
    try await stage.expectWhole()
  }

  @Test func `without the reserve the new token serves from memory, and is written when it can be`()
    async throws
  {
    var number = 1
    while true {
      let stage = try await RotationStage()
      let comment: Comment = "write \(number)"
      await stage.transport.fillDisk(.fail(write: number, error: ENOSPC, lasting: true))
      defer { FaultyDisk.heal() }
      let token = try await stage.book.token()
      #expect(text(token) == stage.liveToken, comment)
      let isWritten = try stage.kinds().last == "refresh.succeeded"
      #expect(token.isRecorded == isWritten, comment)
      if !isWritten {
        #expect(try stage.kinds().last == "refresh.started", comment)
        // It serves on, and nothing is sent again.
        #expect(text(try await stage.book.token()) == stage.liveToken, comment)
        #expect(try await stage.book.send(stage.call).status == 200, comment)
        // Another process sends nothing either: it would be refused what was replaced.
        let other = try await stage.open()
        let error = await #expect(throws: GatebookError.self, comment) {
          try await other.token()
        }
        #expect(error?.code == .storageBusy, comment)
        await other.close()
      }
      let writes = FaultyDisk.heal()
      let again = try await stage.book.token()
      #expect(again.isRecorded, comment)
      #expect(text(again) == stage.liveToken, comment)
      #expect(try stage.kinds().suffix(2) == ["refresh.started", "refresh.succeeded"], comment)
      #expect(stage.refreshes == 1, comment)
      #expect(text(try await stage.open().token()) == stage.liveToken, comment)
      try await stage.expectWhole(comment)
      if writes < number { break }
      number += 1
    }
    #expect(number > 2, "the disk must have failed at several places")
  }

  @Test(arguments: [false, true])
  func `a session in memory is written automatically when space returns, in a closed book too`(
    isClosed: Bool
  ) async throws {
    let stage = try await RotationStage()
    await stage.transport.fillDisk(.fail(write: 1, error: ENOSPC, lasting: true))
    defer { FaultyDisk.heal() }
    #expect(try await !stage.book.token().isRecorded)
    if isClosed { await stage.book.close() }
    FaultyDisk.heal()
    let end = ContinuousClock.now + .seconds(30)
    while try stage.kinds().last != "refresh.succeeded", ContinuousClock.now < end {
      await Task.yield()
    }
    #expect(try stage.kinds().suffix(2) == ["refresh.started", "refresh.succeeded"])
    // Who has written it closes the book, and holds it for that moment.
    let other = try await stage.open(wait: .seconds(30))
    #expect(text(try await other.token()) == stage.liveToken)
    #expect(stage.refreshes == 1)
  }

  @Test func `what many tasks write at once when space returns is no late answer`() async throws {
    let stage = try await RotationStage()
    await stage.transport.fillDisk(.fail(write: 1, error: ENOSPC, lasting: true))
    defer { FaultyDisk.heal() }
    #expect(try await !stage.book.token().isRecorded)
    FaultyDisk.heal()
    let book = stage.book
    let callers = (1...16).map { _ in Task { try await book.token() } }
    var texts: Set<String> = []
    for caller in callers { texts.insert(text(try await caller.value)) }
    #expect(texts == [try #require(stage.liveToken)])
    #expect(try stage.kinds().suffix(2) == ["refresh.started", "refresh.succeeded"])
    try await stage.expectWhole()
  }

  @Test func `media that cannot be written are no reason either not to serve from memory`()
    async throws
  {
    let stage = try await RotationStage()
    await stage.transport.fillDisk(.fail(write: 1, error: EROFS, lasting: true))
    defer { FaultyDisk.heal() }
    for _ in 1...2 { #expect(text(try await stage.book.token()) == stage.liveToken) }
    #expect(stage.refreshes == 1)
  }

  @Test func `a session in memory counts as confirmed where offline time is limited`()
    async throws
  {
    let stage = try await RotationStage(offlineLimit: .seconds(1000))
    _ = try await stage.book.restore(stage.ada)
    await stage.transport.fillDisk(.fail(write: 1, error: ENOSPC, lasting: true))
    defer { FaultyDisk.heal() }
    #expect(try await !stage.book.token().isRecorded)
    // 1050 s after the login, 450 s after the renewal.
    stage.clock.advance(by: .seconds(450))
    #expect(text(try await stage.book.token()) == stage.liveToken)
    #expect(try await stage.book.send(stage.call).status == 200)
    FaultyDisk.heal()
    #expect(try await stage.book.token().isRecorded)
    #expect(try await stage.book.context(of: stage.ada).state == .active)
    #expect(stage.refreshes == 1)
    try await stage.expectWhole()
  }

  private func text(_ token: BearerToken) -> String {
    token.value.withBytes { String(decoding: $0, as: UTF8.self) }
  }
}

/// A book with one session whose token is over, and the portal that renews it.
private final class RotationStage {
  let folder: TemporaryFolder
  let portal: FakeLiferayPortal
  let clock = FixedClock()
  let key = MemoryKeySource()
  let transport: FillingTransport
  let book: SessionBook
  let ada: AccountID

  private var path: String { folder.file("test.gatebook") }
  var reserve: String { path + "-reserve" }

  init(offlineLimit: Duration? = nil) async throws {
    folder = try TemporaryFolder()
    portal = try FakeLiferayPortal(clock: clock)
    try portal.start()
    transport = FillingTransport(folder.path, reserve: folder.file("test.gatebook-reserve"))
    let path = folder.file("test.gatebook")
    book = try await SessionBook.open(
      at: path, key: key, program: TestBook.program, transport: transport, clock: clock,
      wait: .zero, renewalPolicy: .beforeUse)
    let client = FakePortalApplication.confidential
    let user = FakePortalUser.ada
    let liferay = LiferayPortal(
      server: try #require(HTTPURL(portal.url)), companyID: user.companyID, version: .v7)
    var options = LoginOptions()
    options.offlineLimit = offlineLimit
    ada = try await book.logIn(
      .liferay(
        liferay,
        .oauth2Password(
          user: user.emailAddress, password: Secret(user.password), clientID: client.clientID,
          clientSecret: Secret(try #require(client.secret)))), options: options
    ).account
    clock.advance(by: .seconds(600))
  }

  deinit { portal.stop() }

  /// The same book, as another process opens it that does not wait for an account.
  ///
  /// The first process tries again and again to write, and holds the book for those moments.
  func open(wait: Duration = .zero) async throws(GatebookError) -> SessionBook {
    let end = ContinuousClock.now + .seconds(30)
    while true {
      do throws(GatebookError) {
        return try await SessionBook.open(
          at: path, key: key, program: TestBook.program, transport: transport, clock: clock,
          wait: wait, renewalPolicy: .beforeUse)
      } catch {
        guard error.code == .storageBusy, ContinuousClock.now < end else { throw error }
        await Task.yield()
      }
    }
  }

  /// A call that tells who the caller is.
  var call: HTTPRequest {
    get throws {
      HTTPRequest(
        "POST", try #require(HTTPURL(portal.url + "/api/jsonws/invoke")),
        fields: [HTTPField("Content-Type", "application/json")],
        body: Array(#"[{"/user/get-current-user":{}}]"#.utf8))
    }
  }

  /// The access token that the portal takes.
  var liveToken: String? {
    portal.tokens.last { $0.accessExpiry > clock.now().boot }?.accessToken
  }

  var refreshes: Int {
    portal.requests(to: .token).count {
      $0.request.formValue("grant_type") == "refresh_token"
    }
  }

  func kinds() throws -> [String] {
    try BookReader.open(at: path).events(EventFilter()).map(\.kind)
  }

  func expectWhole(_ comment: Comment? = nil) async throws {
    #expect(try await BookVerifier(path: path).verify(against: nil).ok, comment)
    #expect(try BookReader.open(at: path, key: key).checkProjections().ok, comment)
  }
}

/// Sends on, and fills the disk when the token endpoint has answered.
private actor FillingTransport: Transport {
  private let transport = CurlTransport()
  private let folder: String
  private let reserve: String
  private var plan: DiskPlan?
  /// Whether there was a reserve when the server answered.
  private(set) var hadReserve: Bool?

  init(_ folder: String, reserve: String) {
    self.folder = folder
    self.reserve = reserve
  }

  /// The next answer of the token endpoint finds the disk so.
  func fillDisk(_ plan: DiskPlan) { self.plan = plan }

  func send(
    _ request: HTTPRequest, through route: Route
  ) async throws(TransportFailure) -> HTTPReply {
    let reply = try await transport.send(request, through: route)
    if let plan, request.url.path.hasSuffix("/oauth2/token") {
      hadReserve = access(reserve, F_OK) == 0
      FaultyDisk.arm(plan, under: folder)
      self.plan = nil
    }
    return reply
  }
}
