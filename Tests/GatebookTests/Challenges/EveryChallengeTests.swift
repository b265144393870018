import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// Every challenge of every login method is put to the resolver.
@Suite(.timeLimit(.minutes(10))) struct EveryChallengeTests {
  private typealias Mode = ChallengedStage.Mode
  private typealias Moment = ChallengedStage.Moment

  /// One line of the table.
  struct Row: CustomTestStringConvertible, Sendable {
    let mode: ChallengedStage.Mode
    let moment: ChallengedStage.Moment

    var testDescription: String { "\(mode) \(moment)" }
  }

  /// A challenge, and what a resolver hears of it.
  struct Asked: CustomTestStringConvertible, Sendable {
    let challenge: String
    let question: Challenge.Question
    let text: String

    var scheme: String { String(challenge.prefix { $0 != " " }).lowercased() }
    var testDescription: String { challenge }
  }

  /// A challenge that comes at a moment.
  struct Case: CustomTestStringConvertible, Sendable {
    let row: Row
    let asked: Asked

    var testDescription: String { "\(row.testDescription): \(asked.challenge)" }
  }

  /// How something ended that met a challenge.
  private struct Ending: Equatable {
    var end: String
    var requests: Int
    /// The events but those of challenges.
    var kinds: [String]
  }

  private static let rows: [Row] = Mode.allCases.flatMap { mode in
    Moment.allCases.filter { $0 != .renewal || Mode.renewed.contains(mode) }
      .map { Row(mode: mode, moment: $0) }
  }

  /// The schemes that everybody may meet, and those of one method.
  private static let cases: [Case] = rows.flatMap { row in
    let own: [Asked] =
      switch row.mode {
      case .oauth1, .liferayOAuth1: [oauth]
      case .mobileFirst: [check]
      default: []
      }
    return ([basic, bearer] + own).map { Case(row: row, asked: $0) }
  }

  private static let basic = Asked(
    challenge: "Basic realm=\"Somebody\"",
    question: .credentials(scheme: "basic", realm: "Somebody"), text: "basic Somebody 0")
  private static let bearer = Asked(
    challenge: "Bearer realm=\"Somebody\", error=\"invalid_token\"",
    question: .token(scheme: "bearer", realm: "Somebody"), text: "token bearer Somebody 0")
  private static let oauth = Asked(
    challenge: "OAuth realm=\"Somebody\"", question: .token(scheme: "oauth", realm: "Somebody"),
    text: "token oauth Somebody 0")
  private static let check = Asked(
    challenge: "MFP-Challenge", question: .token(scheme: "mfp-challenge", realm: nil),
    text: "token mfp-challenge - 0")

  /// Lets a challenge come at a moment.
  private static func meet(
    _ row: Row, _ challenge: String, _ resolver: ScriptedResolver?
  ) async throws -> (ending: Ending, told: [RecordedEvent]) {
    let stage = try await ChallengedStage(row.mode)
    let account = row.moment == .login ? nil : try await stage.logIn()
    if let account, row.moment == .proof { _ = try await stage.book.restore(account) }
    if let resolver { await stage.book.register(resolver) }
    let (sent, seen) = (stage.doorman.transport.calls.count, try stage.world.kinds().count)
    stage.doorman.refuse(challenge)
    var end = "done"
    do {
      switch (row.moment, account) {
      case (.renewal, let account?): try await stage.renew(account)
      case (_, let account?): end = "\(try await stage.book.send(stage.page, as: account).status)"
      case (_, nil): _ = try await stage.logIn()
      }
    } catch let error as GatebookError {
      end = error.code.rawValue
    }
    #expect(stage.doorman.refused.count == 1)
    let events = try await stage.book.events(after: .start).dropFirst(seen)
    let ending = Ending(
      end: end, requests: stage.doorman.transport.calls.count - sent,
      kinds: events.map(\.kind).filter { !$0.hasPrefix("challenge.") })
    let told = events.filter { $0.kind.hasPrefix("challenge.") && $0.data["scheme"] != "redirect" }
    return (ending, told)
  }

  @Test(arguments: cases)
  func `default handling is what happens without a resolver`(_ line: Case) async throws {
    let (row, asked) = (line.row, line.asked)
    let resolver = ScriptedResolver()
    let expected = try await Self.meet(row, asked.challenge, nil).ending
    let (ending, told) = try await Self.meet(row, asked.challenge, resolver)
    #expect(ending == expected)
    #expect(resolver.asked.first == asked.text)
    let challenge = try #require(resolver.challenges.first)
    #expect(challenge.question == asked.question)
    #expect(!challenge.isProxy)
    #expect(told.prefix(2).map(\.kind) == ["challenge.received", "challenge.failed"])
    #expect(told.prefix(2).allSatisfy { $0.data["scheme"]?.text == asked.scheme })
    #expect(told.dropFirst().first?.data["reason"] == "declined")
  }

  @Test(arguments: cases.filter { $0.row.moment == .resource || $0.asked.scheme != "basic" })
  func `cancelling ends what was under way`(_ line: Case) async throws {
    let (row, asked) = (line.row, line.asked)
    let resolver = ScriptedResolver(last: .cancelAuthenticationChallenge)
    let (ending, told) = try await Self.meet(row, asked.challenge, resolver)
    #expect(ending.end == "challenge.cancelled")
    #expect(ending.requests == 1)
    #expect(resolver.asked == [asked.text])
    #expect(told.map(\.kind) == ["challenge.received", "challenge.cancelled"])
    #expect(told.allSatisfy { $0.data["scheme"]?.text == asked.scheme })
  }

  @Test(arguments: rows.filter { $0.moment == .resource || $0.moment == .renewal })
  func `no name and password answers for a token, and the next one is asked about`(
    row: Row
  ) async throws {
    let both = "Bearer realm=\"Somebody\", OAuth realm=\"Somebody\""
    let resolver = ScriptedResolver(.useCredential(.wrong()), .useCredential(.wrong()))
    let expected = try await Self.meet(row, both, nil).ending
    let (ending, told) = try await Self.meet(row, both, resolver)
    #expect(ending == expected)
    #expect(
      resolver.asked.prefix(2) == ["token bearer Somebody 0", "token oauth Somebody 0"])
    #expect(
      told.prefix(4).map(\.kind) == [
        "challenge.received", "challenge.failed", "challenge.received", "challenge.failed",
      ])
    #expect(told.prefix(4).compactMap { $0.data["reason"]?.text } == ["unfit", "unfit"])
  }

  @Test(arguments: Mode.allCases)
  func `who rejects a name and password is asked about the token, and then the default holds`(
    mode: ChallengedStage.Mode
  ) async throws {
    let row = Row(mode: mode, moment: .resource)
    let both = "Bearer realm=\"Somebody\", Basic realm=\"Somebody\""
    let resolver = ScriptedResolver(last: .rejectProtectionSpace)
    let expected = try await Self.meet(row, both, nil).ending
    let ending = try await Self.meet(row, both, resolver).ending
    #expect(ending == expected)
    #expect(resolver.asked.prefix(2) == ["basic Somebody 0", "token bearer Somebody 0"])
  }

  @Test(arguments: Mode.allCases.filter(\.isSigned))
  func `a credential for what the method signs is unfit, and the next one is asked about`(
    mode: ChallengedStage.Mode
  ) async throws {
    let row = Row(mode: mode, moment: .resource)
    let both = "Basic realm=\"Somebody\", Bearer realm=\"Somebody\""
    let resolver = ScriptedResolver(last: .useCredential(.gate(.permanent)))
    let expected = try await Self.meet(row, both, nil).ending
    let (ending, told) = try await Self.meet(row, both, resolver)
    #expect(ending == expected)
    #expect(resolver.asked.prefix(2) == ["basic Somebody 0", "token bearer Somebody 0"])
    #expect(told.compactMap { $0.data["reason"]?.text }.prefix(2) == ["unfit", "unfit"])
  }

  @Test(arguments: [Mode.liferayOAuth2Redirect, .liferayOAuth2Password, .mobileFirst])
  func `a renewed token that is refused like the last one counts as a failure`(
    mode: ChallengedStage.Mode
  ) async throws {
    let stage = try await ChallengedStage(mode)
    let account = try await stage.logIn()
    // The page alone is refused: a renewal's own requests go through.
    for _ in 1...2 {
      // Within a minute no other renewal would be begun; tokens of MobileFirst live no longer.
      if mode != .mobileFirst { stage.world.clock.advance(by: .seconds(61)) }
      let resolver = ScriptedResolver()
      await stage.book.register(resolver)
      stage.doorman.refuse(
        "Bearer realm=\"Somebody\", error=\"invalid_token\"", times: 2, of: stage.page.url.path)
      _ = try await stage.book.send(stage.page, as: account)
      // MobileFirst's page may then ask for a scope of its own.
      #expect(
        resolver.asked.prefix(2) == ["token bearer Somebody 0", "token bearer Somebody 1"])
      #expect(Set(stage.doorman.refused.suffix(2)).count == 2)
    }
  }

  @Test(arguments: [Mode.liferayOAuth2Redirect, .liferayOAuth2Password])
  func `the app's own secret stays the method's`(mode: ChallengedStage.Mode) async throws {
    let stage = try await ChallengedStage(mode)
    let account = try await stage.logIn()
    let resolver = ScriptedResolver(last: .useCredential(.gate(.permanent)))
    await stage.book.register(resolver)
    stage.doorman.refuse("Basic realm=\"Clients\"", body: #"{"error":"invalid_client"}"#)
    await #expect(throws: GatebookError.self) { try await stage.book.renewNow(account) }
    #expect(resolver.asked == ["basic Clients 0"])
    let told = try await stage.book.events(after: .start).last { $0.kind == "challenge.failed" }
    #expect(told?.data["reason"] == "unfit")
    let gate = "Basic " + Base64.encode(Array("gate:front door word".utf8))
    #expect(!stage.doorman.transport.requests.contains { $0.fields.first("Authorization") == gate })
  }

  @Test func `a token that lacks a right is asked about too`() async throws {
    let stage = try await ChallengedStage(.liferayOAuth2Password)
    let account = try await stage.logIn()
    let resolver = ScriptedResolver()
    await stage.book.register(resolver)
    stage.doorman.refuse(
      "Basic realm=\"Somebody\"", "Bearer error=\"insufficient_scope\", scope=\"more\"",
      status: 403)
    _ = try await stage.book.send(stage.page, as: account)
    #expect(resolver.asked == ["token bearer - 0"])
  }

  @Test func `a session's own Digest password answers by default, and after whom it was asked`()
    async throws
  {
    let stage = try await ChallengedStage(.digest)
    let account = try await stage.logIn()
    let resolver = ScriptedResolver(
      .performDefaultHandling, .rejectProtectionSpace, .useCredential(.wrong()))
    // A process of its own knows no nonce yet.
    for expected in [1, 2, 4] {
      let again = try await stage.world.open(stage.doorman.transport)
      await again.register(resolver)
      #expect(try await again.send(stage.page, as: account).status == 200)
      #expect(resolver.asked.count == expected)
      await again.close()
    }
    #expect(
      resolver.asked == [
        "digest The gate 0", "digest The gate 0", "digest The gate 0", "digest The gate 1",
      ])
  }

  @Test func `a nonce that was too old is no question`() async throws {
    let portal = try await PortalWorld.gated(.sha256)
    portal.portal.switches.front?.nonceUses = 2
    let url = try portal.url("/web/guest")
    let ada = try await portal.book.logIn(
      .http(url: url, user: "gate", password: Secret("front door word")))
    #expect(try await portal.book.send(.get(url), as: ada.account).status == 200)
    let resolver = ScriptedResolver(last: .cancelAuthenticationChallenge)
    await portal.book.register(resolver)
    let before = portal.portal.requests.count
    for _ in 1...4 { #expect(try await portal.book.send(.get(url)).status == 200) }
    let refused = portal.portal.requests.dropFirst(before).filter { $0.status == 401 }
    #expect(!refused.isEmpty)
    #expect(resolver.asked.isEmpty)
  }

  @Test(arguments: Mode.allCases)
  func `a logout asks nobody`(mode: ChallengedStage.Mode) async throws {
    let stage = try await ChallengedStage(mode)
    let account = try await stage.logIn()
    let resolver = ScriptedResolver()
    await stage.book.register(resolver)
    stage.doorman.refuse("Basic realm=\"Somebody\", Bearer realm=\"Somebody\"", times: 9)
    _ = try await stage.book.logOut(account)
    _ = try? await stage.book.sync()
    #expect(resolver.asked.isEmpty)
  }

  @Test func `a cancelled challenge of a renewal cancels the request that wanted it`() async throws
  {
    let portal = try await PortalWorld()
    let doorman = Doorman(before: portal.transport)
    let book = try await portal.world.open(doorman.transport)
    _ = try await book.logIn(portal.method(.oauth2Password))
    // Due, and the old token still lives.
    portal.world.clock.advance(by: .seconds(500))
    await book.register(ScriptedResolver(last: .cancelAuthenticationChallenge))
    doorman.refuse("Basic realm=\"door\"", times: 9, of: "/o/oauth2/token")
    let sent = portal.portal.requests.count
    let call = try portal.call()
    await expect(.challengeCancelled) { () throws(GatebookError) in _ = try await book.send(call) }
    #expect(portal.portal.requests.count == sent)
  }
}
