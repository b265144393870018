import Gatebook
import GatebookFakes
import Testing

/// A book, a fake server, and a proxy between them that spoils what a test wants spoilt.
struct FaultStage: Sendable {
  typealias Entering = @Sendable (SessionBook) async throws -> SessionContext

  let world: TestBook
  let line: FaultLine
  let book: SessionBook
  let proxy: FaultProxy
  /// Logs in.
  let enter: Entering
  /// Plays the person at the server's page.
  let person: FaultPerson?
  /// A request for what only the user gets.
  let page: HTTPRequest
  /// How that is answered.
  var pageStatus = 200
  /// What the server received.
  let received: @Sendable () -> [LoopbackRequest]
  /// What must not be found anywhere in the clear.
  let secrets: @Sendable () -> [String]
  /// The server itself.
  let server: any Sendable

  init(_ flow: FaultedFlow) async throws {
    switch flow {
    case .openIDCode, .openIDDevice, .openIDPassword, .openIDClient, .openIDBound, .openIDPushed,
      .oauth2Code, .oauth2Device, .oauth2Password, .oauth2Client, .oauth2Introspected:
      self = try await FaultStage.identity(flow)
    case .oauth1: self = try await FaultStage.oauth1()
    case .liferayBasic: self = try await FaultStage.portal(.email)
    case .liferayCookie: self = try await FaultStage.portal(.cookie)
    case .liferayOAuth1: self = try await FaultStage.portal(.oauth1)
    case .liferayOAuth2Redirect: self = try await FaultStage.portal(.oauth2Redirect)
    case .liferayOAuth2Password: self = try await FaultStage.portal(.oauth2Password)
    case .digest: self = try await FaultStage.digest()
    case .form: self = try await FaultStage.form()
    case .fcsdk: self = try await FaultStage.gateway()
    case .mobileFirst: self = try await FaultStage.mobileFirst()
    }
  }

  /// Puts a proxy before a server and opens a book.
  init(
    _ world: TestBook, _ proxy: FaultProxy, server: any Sendable, page: HTTPRequest,
    person: FaultPerson? = nil, received: @escaping @Sendable () -> [LoopbackRequest],
    secrets: @escaping @Sendable () -> [String],
    entering: @escaping Entering
  ) async throws {
    try proxy.start()
    (self.world, self.proxy, self.server, self.page) = (world, proxy, server, page)
    (self.person, self.received, self.secrets, enter) = (person, received, secrets, entering)
    line = FaultLine(through: proxy)
    book = try await world.open(line)
  }

  /// Puts a proxy before a server whose login is a method of the book's.
  init(
    _ world: TestBook, _ proxy: FaultProxy, server: any Sendable, page: HTTPRequest,
    person: FaultPerson? = nil, received: @escaping @Sendable () -> [LoopbackRequest],
    secrets: @escaping @Sendable () -> [String],
    method: @escaping @Sendable () throws -> LoginMethod
  ) async throws {
    try await self.init(
      world, proxy, server: server, page: page, person: person, received: received,
      secrets: secrets, entering: { try await $0.logIn(method(), browser: person) })
  }

  /// Logs in.
  @discardableResult
  func logIn() async throws -> SessionContext {
    try await enter(book)
  }

  /// Logs in with a fault at a step.
  func logIn(_ fault: LineFault, at step: Int) async throws -> Result<SessionContext, GatebookError>
  {
    line.arm(fault, at: step)
    defer { line.calm() }
    do {
      return .success(try await enter(book))
    } catch let error as GatebookError {
      return .failure(error)
    }
  }

  /// Asks for the user's page.
  func ask(_ other: SessionBook? = nil) async -> Result<HTTPReply, GatebookError> {
    do throws(GatebookError) {
      return .success(try await (other ?? book).send(page))
    } catch {
      return .failure(error)
    }
  }

  /// Expects the session to work.
  func expectWorks(_ note: Comment, in other: SessionBook? = nil) async {
    line.calm()
    switch await ask(other) {
    case .success(let reply): #expect(reply.status == pageStatus, note)
    case .failure(let error): Issue.record("\(note): \(error)")
    }
  }

  /// Expects the session to work here and in a process that starts now.
  func expectSurvives(_ note: Comment) async throws {
    await expectWorks(note)
    await expectWorks(note, in: try await world.open(line))
  }
}
