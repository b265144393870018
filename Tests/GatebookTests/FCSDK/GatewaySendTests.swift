import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

@Suite struct GatewaySendTests {
  private struct Line: Decodable, Equatable {
    var id: Int
    var state: String
  }

  /// A login that works, and one answer for everything else.
  private static func transport(_ reply: HTTPReply) -> ScriptedTransport {
    ScriptedTransport { request, _ throws(TransportFailure) in
      guard request.method == "POST" else { return reply }
      return HTTPReply(status: 200, body: Array(#"{"sessionid":"abc"}"#.utf8))
    }
  }

  private static let site = "http://127.0.0.1:8080"

  private static func login() throws -> LoginMethod {
    .fcsdk(
      try FCSDKGateway(server: "127.0.0.1", secure: false), user: "ada", password: Secret("rabbit"))
  }

  private static func reply(_ status: Int, _ body: String, _ fields: HTTPField...) -> HTTPReply {
    HTTPReply(status: status, fields: fields, body: Array(body.utf8))
  }

  @Test func `an answer is decoded into the app's type`() async throws {
    let world = try TestBook()
    let book = try await world.open(
      Self.transport(Self.reply(200, #"[{"id":1,"state":"idle","more":[]}]"#)))
    let ada = try await book.logIn(Self.login())
    let url = try #require(HTTPURL("\(Self.site)/csdk-sample/lines"))
    let lines = try await book.send(.get(url), as: ada.account, decoding: [Line].self)
    #expect(lines == [Line(id: 1, state: "idle")])
    #expect(try await book.send(.get(url), decoding: [Line].self).count == 1)
  }

  private static let failures: [(HTTPReply, FailureCode)] = [
    (reply(200, "<html>"), .contentUnexpected), (reply(204, ""), .contentUnexpected),
    (reply(200, "{}"), .contentUnexpected), (reply(200, #"[{"id":"x"}]"#), .contentUnexpected),
    (reply(200, #"[{"id":1.5,"state":"a"}]"#), .contentUnexpected),
    (reply(401, #"[{"id":1,"state":"idle"}]"#), .serverRefused),
    (reply(403, #"[{"id":1,"state":"idle"}]"#), .serverRefused),
    (reply(404, "<html>"), .configurationInvalid), (reply(418, "[]"), .serverRefused),
    (reply(429, "[]"), .serverUnavailable), (reply(500, "[]"), .serverUnavailable),
    (reply(302, "[]", HTTPField("Location", "https://elsewhere.example/")), .serverMoved),
  ]

  @Test(arguments: failures)
  func `the status is looked at first, then the shape`(
    _ row: (reply: HTTPReply, code: FailureCode)
  ) async throws {
    let world = try TestBook()
    let book = try await world.open(Self.transport(row.reply))
    let ada = try await book.logIn(Self.login())
    let url = try #require(HTTPURL("\(Self.site)/csdk-sample/lines"))
    let error = await #expect(throws: GatebookError.self) {
      try await book.send(.get(url), as: ada.account, decoding: [Line].self)
    }
    #expect(error?.code == row.code)
    #expect(try await book.context(of: ada.account).state.isUsable)
  }

  @Test func `a broken answer names the place and no value`() async throws {
    let rows = [
      (#"[{"id":1,"state":"a"},{"id":"cipher","state":"b"}]"#, "1.id"),
      (#"[{"id":1}]"#, "0.state"), (#"[{"id":99999999999999999999,"state":"a"}]"#, "0.id"),
    ]
    for (body, place) in rows {
      let world = try TestBook()
      let book = try await world.open(Self.transport(Self.reply(200, body)))
      _ = try await book.logIn(Self.login())
      let url = try #require(HTTPURL("\(Self.site)/csdk-sample/lines"))
      let error = await #expect(throws: GatebookError.self) {
        try await book.send(.get(url), decoding: [Line].self)
      }
      #expect(error?.message.contains(": \(place).") == true, "\(place)")
      #expect(error?.description.contains("cipher") == false)
      #expect(error?.description.contains("9999") == false)
    }
  }

  @Test func `names that a server chose are shown only as far as they are plain`() async throws {
    let world = try TestBook()
    let book = try await world.open(
      Self.transport(Self.reply(200, #"{"ada@example.test":{"level":"x"}}"#)))
    _ = try await book.logIn(Self.login())
    let url = try #require(HTTPURL("\(Self.site)/csdk-sample/lines"))
    let error = await #expect(throws: GatebookError.self) {
      try await book.send(.get(url), decoding: [String: [String: Int]].self)
    }
    #expect(error?.message.contains(": (…).level.") == true)
  }

  @Test func `no 401 of a page ends a gateway session`()
    async throws
  {
    let world = try TestBook()
    let transport = Self.transport(Self.reply(401, ""))
    let book = try await world.open(transport)
    let ada = try await book.logIn(Self.login())
    let other = try #require(HTTPURL("\(Self.site)/other"))
    #expect(try await book.send(.get(other)).status == 401)
    #expect(try await book.context(of: ada.account).state == .active)
    let error = await #expect(throws: GatebookError.self) {
      try await book.send(.get(other), decoding: Int.self)
    }
    #expect(error?.code == .serverRefused)
    let own = try #require(HTTPURL("\(Self.site)/csdk-sample/lines"))
    #expect(try await book.send(.get(own)).status == 401)
    #expect(try await book.context(of: ada.account).state == .active)
    #expect(transport.requests.filter { $0.method == "POST" }.count == 1)
  }

  @Test func `credentials go to the account's own origin alone`() async throws {
    let world = try TestBook()
    let transport = Self.transport(Self.reply(200, "1"))
    let book = try await world.open(transport)
    _ = try await book.logIn(Self.login())
    let foreign = try #require(HTTPURL("http://127.0.0.1:8081/csdk-sample/x"))
    let error = await #expect(throws: GatebookError.self) {
      try await book.send(.get(foreign), decoding: Int.self)
    }
    #expect(error?.code == .originForeign)
    #expect(transport.requests.count == 1)
  }
}
