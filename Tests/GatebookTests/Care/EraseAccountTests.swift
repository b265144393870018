import GatebookCurl
import GatebookFakes
import GatebookTestSupport
import Testing

@testable import Gatebook

@Suite struct EraseAccountTests {
  @Test func `an erase logs out, forgets the person and leaves nobody current`() async throws {
    let world = try TestBook()
    let book = try await world.open(BasicServer().transport)
    var options = LoginOptions()
    options.saveCredentials = true
    let ada = try await book.logIn(.basic(), options: options)
    _ = try await book.rename(ada.account, to: "work")
    let erasure = try await book.erase(ada.account)
    #expect(!erasure.isRepeated)
    #expect(erasure.isWiped)
    #expect(erasure.untold == 0)
    #expect(erasure.copies.isEmpty)
    #expect(erasure.context.state == .ended(.erased))
    #expect(erasure.context.label == .forgotten)
    #expect(erasure.context.loginName == .forgotten)
    #expect(try await book.currentContext() == nil)
    #expect(
      try world.kinds().suffix(5) == [
        "logout.requested", "credentials.removed", "logout.completed", "account.erased",
        "account.switched",
      ])
    #expect(try await book.context(of: ada.account).position == erasure.position)
    let reader = try BookReader.open(at: world.path)
    #expect(try reader.sessions().map(\.reason) == [.erased])
    #expect(try reader.checkProjections().ok)
    #expect(try await BookVerifier(path: world.path).verify().ok)
    var naming = LoginOptions()
    naming.account = ada.account
    let count = try world.kinds().count
    let error = await #expect(throws: GatebookError.self) {
      try await book.logIn(.basic(), options: naming)
    }
    #expect(error?.code == .preconditionFailed)
    #expect(try world.kinds().count == count)
    let again = try await book.logIn(.basic())
    #expect(again.account != ada.account)
    #expect(again.isCurrent)
    #expect(try await book.accounts().count == 2)
    await book.close()
  }

  @Test func `an erase tells why, in sentences`() async throws {
    let world = try TestBook()
    let book = try await world.open(BasicServer().transport)
    let ada = try await book.logIn(.basic())
    _ = try await book.erase(ada.account)
    let reader = try BookReader.open(at: world.path)
    let why = try #require(try reader.why(ada.account))
    #expect(why.advice == .startOver)
    #expect(why.answer.text { "\($0)" }.contains("was erased at"))
    #expect(
      why.steps.map(\.kind).suffix(3) == [
        "logout.requested", "logout.completed", "account.erased",
      ])
    let last = try #require(why.steps.last)
    #expect(last.sentence.text { "\($0)" }.contains("its key was destroyed"))
  }

  @Test func `erasing twice is said, and changes nothing`() async throws {
    let world = try TestBook()
    let book = try await world.open(BasicServer().transport)
    let ada = try await book.logIn(.basic())
    let first = try await book.erase(ada.account)
    let count = try world.kinds().count
    let second = try await book.erase(ada.account)
    #expect(second.isRepeated)
    #expect(second.position == first.position)
    #expect(try world.kinds().count == count)
    let error = await #expect(throws: GatebookError.self) {
      try await book.erase(AccountID(high: 1, low: 1))
    }
    #expect(error?.code == .configurationInvalid)
  }

  @Test func `of two that erase an account at once, one has done it`() async throws {
    let world = try TestBook()
    let book = try await world.open(BasicServer().transport)
    let other = try await world.open(BasicServer().transport)
    let ada = try await book.logIn(.basic())
    async let first = book.erase(ada.account)
    async let second = other.erase(ada.account)
    let both = try await [first, second]
    #expect(both.count { $0.isRepeated } == 1)
    #expect(both[0].position == both[1].position)
    #expect(try world.kinds().count { $0 == "account.erased" } == 1)
    #expect(try await BookVerifier(path: world.path).verify().ok)
  }

  @Test func `the most recently used other account becomes current`() async throws {
    let world = try TestBook()
    let transport = ScriptedTransport { request, _ throws(TransportFailure) in
      request.fields.first("Authorization") == nil
        ? HTTPReply(status: 401, fields: [HTTPField("WWW-Authenticate", "Basic realm=\"x\"")])
        : HTTPReply(status: 200)
    }
    let book = try await world.open(transport)
    let ada = try await book.logIn(.basic(user: "ada"))
    let bob = try await book.logIn(.basic(user: "bob"))
    _ = try await book.erase(bob.account)
    #expect(try await book.currentContext()?.account == ada.account)
    // Nothing can be made of what is gone.
    for use: () async throws -> Void in [
      { _ = try await book.switchAccount(to: bob.account) },
      { _ = try await book.rename(bob.account, to: "bob") },
      { _ = try await book.restore(bob.account) },
      { _ = try await book.renewNow(bob.account) },
    ] {
      let error = await #expect(throws: GatebookError.self) { try await use() }
      #expect([.preconditionFailed, .sessionRefused].contains(error?.code), "\(error as Any)")
    }
    #expect(try await book.logOut(bob.account).state == .ended(.erased))
    #expect(try await book.currentContext()?.account == ada.account)
    #expect(try await BookVerifier(path: world.path).verify().ok)
  }

  @Test func `the server gets one logout, and an undelivered one is reported`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logInRevocably()
    let ben = try await world.logInRevocably(.ben)
    let revocations = world.portal.requests(to: .revoke).count
    let told = try await world.book.erase(ada.account)
    #expect(told.untold == 0)
    #expect(world.portal.requests(to: .revoke).count > revocations)
    world.portal.stop()
    let untold = try await world.book.erase(ben.account)
    #expect(untold.untold == 1)
    try world.portal.start()
    // There is nothing left to tell it with.
    let report = try await world.book.sync()
    #expect((report.delivered, report.waiting) == (0, 0))
    #expect(try await BookVerifier(path: world.world.path).verify().ok)
  }

  @Test func `what waited for the server is tried once more before it cannot be said`() async throws
  {
    let world = try await PortalWorld()
    let ada = try await world.logInRevocably()
    world.portal.stop()
    _ = try await world.book.logOut(ada.account)
    #expect(try await world.book.waitingDeliveries(of: ada.account) == 1)
    try world.portal.start()
    #expect(try await world.book.erase(ada.account).untold == 0)
    #expect(try world.kinds().suffix(3).contains("revocation.succeeded"))
  }

  @Test func `a renewal under way in another process ends with a clear error`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logInRevocably()
    let gate = Gate(isOpen: false)
    let late = try await world.world.open(LateTokens(transport: world.transport, gate: gate))
    let renewal = Task { () async -> GatebookError? in
      do throws(GatebookError) {
        _ = try await late.renewNow(ada.account)
        return nil
      } catch {
        return error
      }
    }
    await gate.arrival()
    let erasure = try await world.book.erase(ada.account)
    await gate.open()
    let error = await renewal.value
    #expect(
      [.preconditionFailed, .sessionRefused].contains(error?.code), "\(error as Any)")
    #expect(await !late.hasUnwrittenGrants)
    await late.close()
    let last = try await world.book.events(after: erasure.position)
    #expect(last.allSatisfy { $0.account != ada.account })
    // What the server granted late is taken back as well as can be.
    #expect(world.portal.tokens.isEmpty, "\(error as Any) \(world.portal.tokens.count)")
    #expect(try await world.book.context(of: ada.account).state == .ended(.erased))
    #expect(try await BookVerifier(path: world.world.path).verify().ok)
    #expect(try BookReader.open(at: world.world.path).checkProjections().ok)
  }

  @Test func `logins that wait for the erased user's visit are ended`() async throws {
    let world = try TestBook()
    let server = RedirectServer()
    let book = try await world.open(server.transport)
    let pending = try await book.beginLogIn(.redirect())
    let query = try #require(FormFields(decoding: Array((pending.page.query ?? "").utf8)))
    let context = try await book.finishLogIn(
      redirect: "\(pending.redirectURI)?code=code-ada&state=\(try #require(query["state"]))")
    var options = LoginOptions()
    options.account = context.account
    _ = try await book.beginLogIn(.redirect(), options: options)
    #expect(try await book.pendingLogins().count == 1)
    _ = try await book.erase(context.account)
    #expect(try await book.pendingLogins().isEmpty)
    #expect(try await BookVerifier(path: world.path).verify().ok)
  }

  @Test func `a backup that was made before still holds the key, and is named`() async throws {
    let world = try TestBook()
    let book = try await world.open(BasicServer().transport)
    let ada = try await book.logIn(.basic())
    let path = "\(world.folder)/copy"
    let copy = try await book.backUp(to: path)
    let erasure = try await book.erase(ada.account)
    #expect(erasure.copies == [copy])
    #expect(try await book.copies(withKeyOf: ada.account) == [copy])
    let reader = try BookReader.open(at: path, key: KeyFile(path: world.keyPath))
    #expect(try reader.context(of: ada.account)?.loginName == .known("ada"))
    TestFile.remove(["", "-wal", "-shm"].map { path + $0 })
  }
}
