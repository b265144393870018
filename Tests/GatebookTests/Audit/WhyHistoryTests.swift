import GatebookFakes
import GatebookTestSupport
import Testing

@testable import Gatebook

/// What `why` says about long histories, and about decisions that follow each other.
@Suite struct WhyHistoryTests {
  /// More events than are read at a time.
  @Test func `an event after thousands of others is explained, too`() async throws {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    let book = try await world.open(server.transport)
    let ada = try await book.logIn(server.method())
    let session = try await book.requireSession(of: ada.account)
    for _ in 1...5 {
      let events = (1...900).map { session.event(.cookiesChanged, data: ["n": .integer($0)]) }
      try await book.commit(Append(events))
    }
    server.advance(601)
    server.settings.isInTrouble = true
    _ = try? await book.send(server.page())
    let told = Told(try await book.why(ada.account))
    #expect(told.steps.last?.hasPrefix("Renewal failed: ") == true, "\(told)")
    #expect(told.advice == .tryAgain)
    // A page that ends with the last event is followed by an empty one.
    let count = try world.kinds().count
    let rest = (1...(1024 - (count - 1) % 1024)).map {
      session.event(.cookiesChanged, data: ["n": .integer(Int64($0))])
    }
    try await book.commit(Append(rest))
    #expect(Told(try await book.why(ada.account)).steps == told.steps)
  }

  @Test func `an unfinished erasure is explained as one, and the advice is to complete it`()
    async throws
  {
    let (world, server, book) = try await TokenServer.stage()
    let ada = try await book.logIn(server.method()).account
    let session = try await book.requireSession(of: ada)
    // What a process has written that was killed in between.
    try await book.commit(Append([session.event(.logoutRequested, data: ["by": "erase"])]))
    let told = Told(try await book.why(ada))
    #expect(told.answer.contains("it was being erased. The outcome is not recorded"), "\(told)")
    #expect(told.advice == .completeErasure)
    try await book.erase(ada)
    #expect(try await book.why(ada).advice == .startOver)
    withExtendedLifetime(world) {}
  }

  @Test(arguments: [429, 503], [false, true])
  func `a login learns how long the server wants to be left alone`(
    status: Int, isKnown: Bool
  ) async throws {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    let book = try await world.open(server.transport)
    if isKnown {
      let ada = try await book.logIn(server.method())
      try await book.logOut(ada.account)
    }
    server.settings.answer = HTTPReply(
      status: status, fields: [HTTPField("Retry-After", "120")])
    await #expect {
      try await book.logIn(server.method())
    } throws: {
      ($0 as? GatebookError)?.retryAfter == .seconds(120)
    }
    let failure = Position(rawValue: Int64(try world.kinds().count))
    let told = Told(try #require(try await book.why(failure)))
    #expect(
      told.answer.hasSuffix(
        "The server asks not to log in again before T."))
    #expect(told.advice == .logInLater)
    server.advance(121)
    #expect(try await book.why(failure)?.advice == .logIn)
  }

  @Test func `different decisions are explained one by one, equal ones as one`() async throws {
    let world = try TestBook()
    let book = try await world.open(BasicServer().transport)
    let keys = try ["A", "B"].map { letter in
      try KeyHash("sha256/\(String(repeating: letter, count: 42))A=")
    }
    var options = LoginOptions()
    options.trust.pins = keys
    let ada = try await book.logIn(.basic(), options: options)
    for key in keys { try await book.revokeTrust(of: ada.account, key: key) }
    let told = Told(try await book.why(ada.account))
    #expect(
      told.steps.suffix(2) == [
        "The user, through tests 1, process N, allowed only certain keys of 127.0.0.1:N.",
        "The user, through tests 1, process N, withdrew an earlier decision to trust the server. This line covers 2 such events, the first of them at T.",
      ], "\(told)")
  }
}
