import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// Rule 2: what becomes of a refresh whose answer never came.
@Suite struct UnknownOutcomeTests {
  @Test func `an answer that was lost is asked for once more, and says so`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(.oauth2Password)
    world.portal.inject(.dropBeforeActing, on: .token)
    world.world.clock.advance(by: .seconds(600))
    let before = try world.kinds().count
    let call = try world.call()
    await expect(.networkUnreachable) { () throws(GatebookError) in
      _ = try await world.book.send(call)
    }
    // Not within the same outage.
    world.world.clock.advance(by: .seconds(3))
    #expect(try await world.book.send(call).status == 200)
    #expect(
      try world.kinds(after: before) == [
        "refresh.started", "session.uncertain", "refresh.started", "refresh.succeeded",
      ])
    let attempts = try BookReader.open(at: world.world.path).events(EventFilter())
      .dropFirst(before).filter { $0.kind == "refresh.started" }
      .map { $0.data["attempt"]?.integer }
    #expect(attempts == [1, 2])
    #expect(Set(world.refreshTokensSent()).count == 1)
    #expect(try await world.book.context(of: ada.account).state == .active)
  }

  @Test func `a token that was spent by an answer nobody got ends the session with that reason`()
    async throws
  {
    let world = try await PortalWorld()
    let ada = try await world.logIn(.oauth2Password)
    world.portal.inject(.dropAfterActing, on: .token)
    world.world.clock.advance(by: .seconds(600))
    let before = try world.kinds().count
    let call = try world.call()
    await expect(.networkUnreachable) { () throws(GatebookError) in
      _ = try await world.book.send(call)
    }
    world.world.clock.advance(by: .seconds(3))
    let error = await expect(.tokenRefused) { () throws(GatebookError) in
      _ = try await world.book.send(call)
    }
    #expect(
      error?.message.contains("An earlier answer was lost") == true, "\(error?.message ?? "")")
    #expect(
      try world.kinds(after: before) == [
        "refresh.started", "session.uncertain", "refresh.started", "refresh.failed",
        "session.ended",
      ])
    let context = try await world.book.context(of: ada.account)
    #expect(context.state == .needsLogin(.refusedAfterUnknownOutcome))
    #expect(context.user == ada.user)
  }

  @Test func `a second try that was answered with trouble does not leave all as before`()
    async throws
  {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    let book = try await world.open(server.transport)
    _ = try await book.logIn(server.method())
    server.advance(601)
    server.settings.lostQuestions = 1
    server.settings.answer = HTTPReply(status: 503)
    await expect(.networkUnreachable) { () throws(GatebookError) in _ = try await book.token() }
    server.advance(3)
    let error = await expect(.serverUnavailable) { () throws(GatebookError) in
      _ = try await book.token()
    }
    #expect(error?.kept.contains("counts as used up") == true, "\(error?.kept ?? "")")
    #expect(error?.remedy.contains("Try again later") == false, "\(error?.remedy ?? "")")
  }

  @Test func `a granting answer that ends after its header is lost`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(.oauth2Password)
    // The portal has acted; without a length nothing but the close ends its answer.
    world.portal.inject(
      .alter { reply in
        var reply = reply
        reply.delivery = .raw(Array("HTTP/1.1 200 OK\r\nServer: portal\r\n\r\n".utf8))
        return reply
      }, on: .token)
    world.world.clock.advance(by: .seconds(600))
    let before = try world.kinds().count
    let call = try world.call()
    let error = await expect(.tokenRefused) { () throws(GatebookError) in
      _ = try await world.book.send(call)
    }
    #expect(
      error?.message.contains("An earlier answer was lost") == true, "\(error?.message ?? "")")
    #expect(
      try world.kinds(after: before) == [
        "refresh.started", "session.uncertain", "refresh.started", "refresh.failed",
        "session.ended",
      ])
    #expect(
      try await world.book.context(of: ada.account).state
        == .needsLogin(.refusedAfterUnknownOutcome))
  }

  @Test(arguments: [false, true])
  func `a 200 without a body may have used up the token, whether it says its length or not`(
    saysLength: Bool
  ) async throws {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    let book = try await world.open(server.transport)
    let ada = try await book.logIn(server.method()).account
    if saysLength {
      server.settings.answer = HTTPReply(
        status: 200, fields: [HTTPField("content-length", "0")])
    } else {
      server.settings.cutAnswers = 1
    }
    await expect(saysLength ? .contentUnexpected : .tokenRefused) { () throws(GatebookError) in
      _ = try await book.renewNow(ada)
    }
    #expect(try world.kinds().contains("session.uncertain"))
    #expect(server.tokenRequests == 3, "The login, and two uses.")
    let context = try await book.context(of: ada)
    #expect(context.state == (saysLength ? .uncertain : .active))
    #expect(context.renewalEnd == (saysLength ? nil : .refusedAfterUnknownOutcome))
  }

  @Test(arguments: [429, 500, 502])
  func `an answered second try is the last one, too`(_ status: Int) async throws {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    let book = try await world.open(server.transport)
    let ada = try await book.logIn(server.method()).account
    server.advance(600)
    server.settings.lostQuestions = 1
    server.settings.answer = HTTPReply(status: status)
    let before = server.tokenRequests
    for _ in 1...3 {
      _ = try? await book.token()
      server.advance(100)
    }
    #expect(server.tokenRequests == before + 2)
    #expect(try await book.context(of: ada).state == .uncertain)
    #expect(try BookReader.open(at: world.path).checkProjections().ok)
    server.settings.answer = nil
    await expect(.outcomeUnknown) { () throws(GatebookError) in _ = try await book.renewNow(ada) }
    #expect(server.tokenRequests == before + 2)
    #expect(try await book.renewNow(ada, evenIfUsedUp: true), "Who insists may try.")
    #expect(try await book.context(of: ada).state == .active)
  }

  @Test func `a token of unknown state is never sent a third time automatically`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(.oauth2Password)
    world.portal.inject(.dropBeforeActing, on: .token, times: 2)
    world.world.clock.advance(by: .seconds(600))
    let call = try world.call()
    for _ in 1...2 {
      await expect(.networkUnreachable) { () throws(GatebookError) in
        _ = try await world.book.send(call)
      }
      world.world.clock.advance(by: .seconds(3))
    }
    #expect(world.refreshTokensSent().count == 2)
    #expect(try await world.book.context(of: ada.account).state == .uncertain)
    let before = try world.kinds().count
    for _ in 0..<3 {
      let error = await expect(.outcomeUnknown) { () throws(GatebookError) in
        _ = try await world.book.send(call)
      }
      // What a program calls that is not the library's to say.
      #expect(
        error?.remedy
          == "Log in again, or try once more with `SessionBook.renewNow(_:evenIfUsedUp:)`.")
    }
    #expect(world.refreshTokensSent().count == 2)
    #expect(try world.kinds(after: before).isEmpty)
    // Who asks gets no more; a person may insist.
    await expect(.outcomeUnknown) { () throws(GatebookError) in
      _ = try await world.book.renewNow(ada.account)
    }
    #expect(world.refreshTokensSent().count == 2)
    #expect(try await world.book.renewNow(ada.account, evenIfUsedUp: true))
    #expect(try await world.book.context(of: ada.account).state == .active)
    #expect(try await world.book.send(call).status == 200)
  }

  @Test func `an intent of a process that died is found, and its token sent once more`()
    async throws
  {
    let world = try await PortalWorld()
    let ada = try await world.logIn(.oauth2Password)
    let first = try await world.world.open(world.transport)
    world.world.clock.advance(by: .seconds(600))
    // The intent of a process that died before its request left.
    try await first.leaveIntent(of: ada.account)
    let before = try world.kinds().count
    #expect(try await world.book.send(world.call()).status == 200)
    #expect(
      try world.kinds(after: before) == [
        "session.uncertain", "refresh.started", "refresh.succeeded",
      ])
  }

  @Test(arguments: [false, true])
  func `a renewal that was under way is not forgotten when the session is resumed or verified`(
    isVerified: Bool
  ) async throws {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    let book = try await world.open(server.transport)
    let ada = try await book.logIn(server.method()).account
    try await book.leaveIntent(of: ada)
    _ = try await book.restore(ada)
    if isVerified { #expect(try await book.refreshAttributes(of: ada).state == .uncertain) }
    server.advance(600)
    let before = try world.kinds().count
    #expect(try await book.send(server.page()).status == 200)
    let news = try world.kinds().dropFirst(before)
    #expect(
      news.prefix(3) == ["session.uncertain", "refresh.started", "refresh.succeeded"], "\(news)")
    var filter = EventFilter()
    filter.kind = "refresh.started"
    let attempts = try BookReader.open(at: world.path).events(filter)
      .map { $0.data["attempt"]?.integer }
    #expect(attempts == [1, 2])
  }

  @Test func `a connection that was refused is no use of the token`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(.oauth2Password)
    world.world.clock.advance(by: .seconds(600))
    world.portal.stop()
    let before = try world.kinds().count
    let call = try world.call()
    for _ in 0..<3 {
      await expect(.networkUnreachable) { () throws(GatebookError) in
        _ = try await world.book.send(call)
      }
    }
    #expect(!(try world.kinds(after: before).contains("session.uncertain")))
    #expect(try await world.book.context(of: ada.account).state == .active)
    try world.portal.start()
    #expect(try await world.book.send(call).status == 200)
    #expect(world.refreshTokensSent().count == 1)
  }
}
