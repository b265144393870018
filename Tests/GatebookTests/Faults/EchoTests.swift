import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// Servers that give back what they were told, where a name or a code is expected.
@Suite struct EchoTests {
  private let world: TestBook
  private let server: TokenServer
  private let book: SessionBook

  init() async throws {
    (world, server, book) = try await TokenServer.stage()
  }

  /// Everything that the book contains in the clear.
  private func clear() throws -> String {
    try BookReader.open(at: world.path).events(EventFilter()).map {
      String(decoding: $0.data.encoded, as: UTF8.self)
    }
    .joined()
  }

  @Test(arguments: [400, 401, 200])
  func `a password that comes back as an error code is not told`(status: Int) async throws {
    server.settings.answer = HTTPReply(
      status: status, body: Array(#"{"error":"rabbit"}"#.utf8))
    let error = await #expect(throws: GatebookError.self) {
      try await book.logIn(server.method())
    }
    #expect(error?.serverCode == nil)
    #expect(error.map { !"\($0)".contains("rabbit") } == true, "\(error as Any)")
    #expect(try !clear().contains("rabbit"))
    #expect(try world.kinds().last == "login.failed")
  }

  @Test func `a refresh token that comes back as an error code is not told`() async throws {
    _ = try await book.logIn(server.method())
    server.advance(601)
    let sent = TestBox("")
    let echoing = try await world.open(
      ScriptedTransport { [server] request, route throws(TransportFailure) in
        guard request.url.path == "/token" else {
          return try await server.transport.send(request, through: route)
        }
        let body = String(decoding: request.body, as: UTF8.self)
        let token = body.split(separator: "&").first { $0.hasPrefix("refresh_token=") }
        sent.value = String(token?.dropFirst(14) ?? "")
        return HTTPReply(status: 500, body: Array(#"{"error":"\#(sent.value)"}"#.utf8))
      })
    _ = try? await echoing.send(server.page())
    #expect(!sent.value.isEmpty)
    #expect(try world.kinds().last == "refresh.deferred")
    #expect(try !clear().contains(sent.value))
  }

  @Test func `a password that comes back as a scope or as an attribute's name is not told`()
    async throws
  {
    let echoing = try await world.open(
      Self.granting(
        #"{"access_token":"at","token_type":"Bearer","scope":"read rabbit"}"#,
        to: #"{"sub":"1","rabbit":"x","given_name":"Ada"}"#))
    let ada = try await echoing.logIn(server.method())
    #expect(ada.user["rabbit"] != nil)
    let text = try clear()
    #expect(!text.contains("rabbit"), "\(text)")
    #expect(text.contains("given_name"))
  }

  @Test func `a scheme that a server makes of a password is not told`() async throws {
    let book = try await world.open(
      ScriptedTransport { request, _ throws(TransportFailure) in
        let isTold = request.fields.first("Authorization") != nil
        return HTTPReply(
          status: 401,
          fields: [HTTPField("WWW-Authenticate", isTold ? "lovelace" : "Basic realm=\"x\"")])
      })
    _ = try? await book.logIn(.basic())
    #expect(try world.kinds().last == "login.failed")
    #expect(try !clear().contains("lovelace"))
  }

  @Test(arguments: [0, 100_000])
  func `a refresh token that the same answer gives as a scope is not told`(
    filling: Int
  ) async throws {
    let filling = String(repeating: "x", count: filling)
    let echoing = try await world.open(
      Self.granting(
        #"""
        {"access_token":"at","refresh_token":"r1-canary","token_type":"Bearer",
        "more":"\#(filling)","scope":"read r1-canary"}
        """#, to: #"{"sub":"1"}"#))
    _ = try await echoing.logIn(server.method())
    let text = try clear()
    #expect(text.contains(#""scope":"read""#), "\(text)")
    #expect(!text.contains("r1-canary"), "\(text)")
  }

  @Test func `a token that a server names as a wanted scope is not kept as one`() async throws {
    let ada = try await book.logIn(server.method())
    let demanding = try await world.open(
      ScriptedTransport { [server] request, route throws(TransportFailure) in
        guard request.url.path == "/data" else {
          return try await server.transport.send(request, through: route)
        }
        let sent = request.fields.first("Authorization")?.split(separator: " ").last ?? ""
        let demand = #"Bearer error="insufficient_scope", scope="write \#(sent)""#
        return HTTPReply(status: 403, fields: [HTTPField("WWW-Authenticate", demand)])
      })
    _ = try await demanding.send(server.page(), as: ada.account)
    #expect(try await demanding.demandedStepUp(of: ada.account)?.scopes == ["write"])
  }

  @Test func `no part of a password is printed, whatever it contains`() async throws {
    server.settings.answer = HTTPReply(
      status: 400, body: Array(#"{"error":"canary-pass"}"#.utf8))
    var options = LoginOptions()
    options.saveCredentials = true
    let method = try LoginMethod.oauth2(
      tokenURL: #require(HTTPURL("\(TokenServer.site)/token")), OAuth2Server(),
      application: OAuth2Application(clientID: "app"),
      flow: .password(user: "ada", Secret("canary-pass/word-secret")))
    _ = try? await book.logIn(method, options: options)
    #expect(try world.kinds().last == "login.failed")
    #expect(try !clear().contains("canary-pass"))
  }

  @Test(arguments: ["/", "+", " ", ",", ";", "&"])
  func `the halves of a token are withheld, whatever is between them`(
    separator: String
  ) async throws {
    let halves = ["canaryaaaa1111", "canarybbbb2222"]
    let echoing = try await world.open(
      Self.granting(
        #"""
        {"access_token":"at","token_type":"Bearer","scope":"read \#(halves.joined(separator: " "))",
        "refresh_token":"\#(halves.joined(separator: separator))"}
        """#, to: #"{"sub":"1"}"#))
    _ = try await echoing.logIn(server.method())
    let text = try clear()
    #expect(text.contains(#""scope":"read""#), "\(text)")
    for half in halves { #expect(!text.contains(half), "\(text)") }
  }

  @Test func `a cookie that is named like a password or another cookie's value is encrypted`()
    async throws
  {
    let book = try await world.open(
      ScriptedTransport { request, _ throws(TransportFailure) in
        guard request.fields.first("Authorization") != nil else {
          return HTTPReply(
            status: 401, fields: [HTTPField("WWW-Authenticate", "Basic realm=\"x\"")])
        }
        let cookies = ["lovelace=1", "sid-of-ada=v4lue", "v4lue=1"]
        return HTTPReply(
          status: 200, fields: cookies.map { HTTPField("Set-Cookie", $0) })
      })
    let ada = try await book.logIn(.basic())
    var text = try clear()
    #expect(text.contains("sid-of-ada"), "\(text)")
    #expect(!text.contains("lovelace"), "\(text)")
    #expect(!text.contains("v4lue"), "\(text)")
    let later = try await world.open(
      ScriptedTransport { _, _ throws(TransportFailure) in
        HTTPReply(status: 200, fields: [HTTPField("Set-Cookie", "lovelace=2")])
      })
    _ = try await later.send(
      HTTPRequest("GET", try #require(HTTPURL("http://127.0.0.1:8080/private/"))), as: ada.account)
    #expect(try world.kinds().last == "cookies.changed")
    text = try clear()
    #expect(!text.contains("lovelace"), "\(text)")
  }

  /// A server that answers with these tokens, and with this user.
  private static func granting(_ tokens: String, to user: String) -> ScriptedTransport {
    ScriptedTransport { request, _ throws(TransportFailure) in
      HTTPReply(status: 200, body: Array((request.url.path == "/token" ? tokens : user).utf8))
    }
  }

  @Test(arguments: ["connection", "libcurl", "Failed", "127.0.0.1"])
  func `an error's own words stay as they are, whatever the password is`(
    password: String
  )
    async throws
  {
    let failure = GatebookError(
      .networkUnreachable, "No connection could be made to http://127.0.0.1:1.",
      remedy: "Try again.", cause: "libcurl 7: Failed to connect to 127.0.0.1")
    let asked = TestBox(0)
    let book = try await world.open(
      ScriptedTransport { _, _ throws(TransportFailure) in
        asked.withLock { $0 += 1 }
        guard asked.value > 1 else {
          return HTTPReply(
            status: 401, fields: [HTTPField("WWW-Authenticate", "Basic realm=\"x\"")])
        }
        throw TransportFailure(failure, delivery: .maybeSent)
      })
    let error = await #expect(throws: GatebookError.self) {
      try await book.logIn(.basic(password: password))
    }
    #expect(error?.message == failure.message)
    #expect(error?.cause == failure.cause)
  }
}
