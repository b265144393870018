import GatebookFakes
import GatebookStore
import GatebookTestSupport
import Glibc
import Testing

@testable import Gatebook

/// A saved account's password, checked without the server.
@Suite struct OfflinePasswordTests {
  /// Ada logged in and saved; from then on there is no server.
  private struct Stage {
    let world: TestBook
    let server = BasicServer()
    let book: SessionBook
    let ada: SessionContext

    init(saving: Bool = true) async throws {
      world = try TestBook()
      book = try await world.open(server.transport)
      var options = LoginOptions()
      options.saveCredentials = saving
      ada = try await book.logIn(.basic(), options: options)
      server.set(.down)
    }

    func expect(
      _ code: FailureCode, _ password: String, in other: SessionBook? = nil,
      sourceLocation: SourceLocation = #_sourceLocation
    ) async -> GatebookError? {
      await GatebookTests.expect(code, sourceLocation: sourceLocation) {
        () throws(GatebookError) in
        _ = try await (other ?? book).restore(ada.account, password: Secret(password))
      }
    }

    var last: RecordedEvent? {
      get async throws { try await book.events(after: .start).last }
    }
  }

  @Test func `the right password resumes the session without the network, and is its evidence`()
    async throws
  {
    let stage = try await Stage()
    let sent = stage.server.transport.requests.count
    let count = try stage.world.kinds().count
    // Another process, after a restart.
    let book = try await stage.world.open(stage.server.transport)
    let restored = try await book.restore(stage.ada.account, password: Secret("lovelace"))
    #expect(restored.state == .offline(lastVerified: stage.ada.since))
    #expect(restored.isRecorded)
    #expect(stage.server.transport.requests.count == sent)
    #expect(
      try stage.world.kinds().dropFirst(count) == [
        "challenge.received", "challenge.answered", "session.restored",
      ])
    let last = try #require(try await stage.last)
    #expect(last.data["evidence"] == "password")
    #expect(last.data["verified"]?.integer == stage.ada.position.rawValue)
    for path in [stage.world.path, "\(stage.world.path)-wal"] {
      #expect(!TestFile.read(path).holds("lovelace"))
    }
  }

  @Test func `a wrong one is recorded and counted over processes, until the last try is gone`()
    async throws
  {
    let stage = try await Stage()
    for remaining in (0...4).reversed() {
      // Each in a process of its own.
      let book = try await stage.world.open(stage.server.transport)
      let error = await stage.expect(.credentialsRefused, "babbage", in: book)
      #expect(error?.kept == "The session is kept.")
      let last = try #require(try await stage.last)
      #expect(last.kind == "challenge.failed")
      #expect(last.data["remaining"]?.integer == Int64(remaining))
      #expect(last.data["code"] == "credentials.refused")
      #expect(last.data["source"] == "offline")
      await book.close()
    }
    let count = try stage.world.kinds().count
    // Not even the right one is looked at now.
    _ = await stage.expect(.challengeBlocked, "lovelace")
    #expect(try stage.world.kinds().count == count)
    // The session has lost nothing: neither its secret nor its state.
    #expect(try await stage.book.context(of: stage.ada.account).state == .active)
    #expect(try await stage.book.restore(stage.ada.account).state.isUsable)
    // What logs in without a person gives no new tries; a person at the server does.
    stage.server.set(.healthy)
    _ = try await stage.book.logInAgain(stage.ada.account)
    _ = await stage.expect(.challengeBlocked, "lovelace")
    _ = try await stage.book.logIn(.basic())
    let restored = try await stage.book.restore(stage.ada.account, password: Secret("lovelace"))
    #expect(restored.state.isUsable)
  }

  @Test func `the end of offline checks is reported, after an archive and a confirmation too`()
    async throws
  {
    let stage = try await Stage()
    let (book, ada) = (stage.book, stage.ada.account)
    for _ in 0..<5 { _ = await stage.expect(.credentialsRefused, "babbage") }
    let told = Told(try await book.why(ada))
    #expect(told.advice == .logIn)
    #expect(told.answer.contains("can no longer be checked offline"), "\(told)")
    let archive = "\(stage.world.path).archive"
    defer { unlink(archive) }
    _ = try await book.archive(to: archive)
    let later = Told(try await book.why(ada))
    #expect(later.advice == .logIn)
    #expect(later.answer == told.answer)
    #expect(later.steps.last == told.steps.last)
    let verdict = try await BookVerifier(path: stage.world.path).verify(archive: archive)
    #expect(verdict.ok, "\(verdict.problems)")
    // The server's confirmation of the session says nothing about the password.
    stage.server.set(.healthy)
    _ = try await book.logInAgain(ada)
    #expect(try await book.why(ada).advice == .logIn)
    _ = try await book.logIn(.basic())
    #expect(try await book.why(ada).advice == .nothing)
  }

  @Test func `the right password restarts the count`() async throws {
    let stage = try await Stage()
    for _ in 0..<3 { _ = await stage.expect(.credentialsRefused, "babbage") }
    _ = try await stage.book.restore(stage.ada.account, password: Secret("lovelace"))
    _ = await stage.expect(.credentialsRefused, "babbage")
    #expect(try await stage.last?.data["remaining"]?.integer == 4)
  }

  @Test func `tries at once are counted one by one`() async throws {
    let stage = try await Stage()
    let books = [stage.book, try await stage.world.open(stage.server.transport)]
    let codes = await withTaskGroup(of: FailureCode?.self) { group in
      for index in 0..<8 {
        group.addTask {
          do throws(GatebookError) {
            _ = try await books[index % 2].restore(stage.ada.account, password: Secret("x"))
            return nil
          } catch { return error.code }
        }
      }
      return await group.reduce(into: [FailureCode?]()) { $0.append($1) }
    }
    #expect(codes.filter { $0 == .credentialsRefused }.count == 5)
    #expect(codes.filter { $0 == .challengeBlocked }.count == 3)
  }

  @Test func `a try counts before the password is looked at`() async throws {
    let stage = try await Stage()
    let kinds = try stage.world.kinds().count
    _ = await stage.expect(.credentialsRefused, "babbage")
    #expect(try stage.world.kinds()[kinds] == "challenge.received")
    // As a process leaves it that is ended in between: the fold counts what was begun.
    #expect(try await stage.book.passwordAttempts(of: stage.ada.account) == 1)
  }

  @Test func `without permission nothing is kept that could check a password`() async throws {
    let stage = try await Stage(saving: false)
    #expect(try await !stage.book.hasOfflineVerifier(stage.ada.account))
    let count = try stage.world.kinds().count
    _ = await stage.expect(.loginUnprovable, "lovelace")
    #expect(try stage.world.kinds().count == count)
  }

  @Test func `a changed password replaces the old one with the next login`()
    async throws
  {
    let stage = try await Stage()
    stage.server.set(.healthy)
    stage.server.change(password: "countess")
    // The permission of the first login lasts.
    _ = try await stage.book.logIn(.basic(password: "countess"))
    let saved = try await stage.book.events(after: .start).last { $0.kind == "credentials.saved" }
    #expect(saved?.data == ["offline": true, "purpose": "offline"])
    _ = await stage.expect(.credentialsRefused, "lovelace")
    let restored = try await stage.book.restore(stage.ada.account, password: Secret("countess"))
    #expect(restored.state.isUsable)
  }

  @Test func `a failed login leaves what is kept as it is`() async throws {
    let stage = try await Stage()
    stage.server.set(.healthy)
    await #expect(throws: GatebookError.self) {
      try await stage.book.logIn(.basic(password: "guess"))
    }
    _ = await stage.expect(.credentialsRefused, "guess")
    _ = try await stage.book.restore(stage.ada.account, password: Secret("lovelace"))
  }

  @Test func `it goes with the saved credentials, and with a logout that forgets`() async throws {
    let stage = try await Stage()
    #expect(try await stage.book.removeCredentials(of: stage.ada.account))
    #expect(try stage.world.kinds().filter { $0 == "credentials.removed" }.count == 1)
    _ = await stage.expect(.loginUnprovable, "lovelace")
    let other = try await Stage()
    _ = try await other.book.logOut(other.ada.account)
    #expect(try await other.book.hasOfflineVerifier(other.ada.account))
    _ = try await other.book.logOut(other.ada.account, forgettingCredentials: true)
    #expect(try await !other.book.hasOfflineVerifier(other.ada.account))
  }

  @Test func `after a logout there is nothing to resume, and no password is looked at`()
    async throws
  {
    let stage = try await Stage()
    _ = try await stage.book.logOut(stage.ada.account)
    let count = try stage.world.kinds().count
    _ = await stage.expect(.sessionRefused, "lovelace")
    #expect(try stage.world.kinds().count == count)
  }

  @Test func `a try that cannot be counted is not checked`() async throws {
    let stage = try await Stage()
    await stage.book.close()
    stage.world.lockOut()
    defer { stage.world.letIn() }
    let book = try await stage.world.open(stage.server.transport)
    for password in ["lovelace", "babbage"] {
      let error = await stage.expect(.storageReadOnly, password, in: book)
      #expect(error?.message.contains("not checked") == true)
    }
    // Who asks for no password is not kept from the session.
    #expect(try await book.restore(stage.ada.account).isRecorded == false)
  }

  @Test func `the offline limit holds also for a person who knows the password`()
    async throws
  {
    let stage = try await Stage()
    stage.server.set(.healthy)
    var options = LoginOptions()
    options.offlineLimit = .seconds(60)
    _ = try await stage.book.logIn(.basic(), options: options)
    stage.world.clock.advance(by: .seconds(61))
    _ = await stage.expect(.sessionRefused, "lovelace")
    #expect(
      try await stage.book.context(of: stage.ada.account).state == .needsLogin(.offlineTooLong))
  }

  @Test(arguments: PortalMode.allCases)
  func `every method that gets the password can check it`(_ mode: PortalMode) async throws {
    let world = try await PortalWorld()
    var options = LoginOptions()
    options.saveCredentials = true
    let ada = try await world.logIn(world.method(mode), options: options)
    let isTold = !mode.opensPage && mode != .oauth1
    #expect(try await world.book.hasOfflineVerifier(ada.account) == isTold)
  }
}
