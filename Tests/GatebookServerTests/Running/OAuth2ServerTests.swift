internal import Foundation
internal import Testing

/// What the tests of logins and renewals rely on.
@Suite(.enabled(if: TestServers.areRunning, TestServers.reason))
struct OAuth2ServerTests {
  private func grant(_ person: Person, at server: OAuth2Server) throws -> JSONObject {
    let (status, answer) = try server.token(
      .password,
      [
        "grant_type": "password", "username": person.name, "password": person.password,
        "scope": "read",
      ])
    try #require(status == 200)
    return answer
  }

  private func refresh(
    _ tokens: JSONObject, at server: OAuth2Server
  ) throws -> (status: Int, answer: JSONObject) {
    let token = try #require(tokens["refresh_token"]?.text)
    return try server.token(
      .password, ["grant_type": "refresh_token", "refresh_token": token])
  }

  private func access(_ tokens: JSONObject) throws -> String {
    try #require(tokens["access_token"]?.text)
  }

  private func status(_ path: String, _ tokens: JSONObject, at server: OAuth2Server) throws -> Int?
  {
    try Curl.status(["-H", "Authorization: Bearer \(access(tokens))", server.base + path])
  }

  @Test(arguments: [Person.bob, .numbered(18), .numbered(20)])
  func `a token speaks for who asked for it`(_ person: Person) throws {
    let server = try OAuth2Server.shared()
    let tokens = try grant(person, at: server)
    let words = ["-H", "Authorization: Bearer \(try access(tokens))", server.checkURL]
    let told = try JSONObject(Curl.run(words).output)
    #expect(told["user"]?.text == person.name)
    #expect(told["client"]?.text == OAuth2Server.Application.password.rawValue)
    #expect(try server.isActive(access(tokens)))
    #expect(try Curl.status([server.checkURL]) == 401)
    let fingerprint = try OAuth2Server.fingerprint(of: access(tokens))
    let shown = try server.requests().filter { $0.token == fingerprint }
    #expect(shown.map(\.user) == [person.name])
    #expect(try server.requests().contains { $0.issued == fingerprint && $0.grant == "password" })
  }

  @Test func `a refresh token that comes again ends its family`() throws {
    let server = try OAuth2Server.shared()
    let first = try grant(.numbered(19), at: server)
    let (status, second) = try refresh(first, at: server)
    #expect(status == 200)
    #expect(try !server.isActive(access(first)))
    #expect(try server.isActive(access(second)))
    let again = try refresh(first, at: server)
    #expect(again.status == 400)
    #expect(again.answer["error"]?.text == "invalid_grant")
    #expect(try !server.isActive(access(second)))
    #expect(try refresh(second, at: server).status == 400)
  }

  @Test func `within its grace it brings the same new tokens`() throws {
    let server = try OAuth2Server.own(["GRACE": "600"])
    let first = try grant(.alice, at: server)
    let second = try refresh(first, at: server).answer
    let again = try refresh(first, at: server)
    #expect(again.status == 200)
    #expect(try access(again.answer) == access(second))
    #expect(again.answer["refresh_token"]?.text == second["refresh_token"]?.text)
    #expect(try server.liveTokens(of: .alice) == (access: 1, refresh: 1))
  }

  @Test func `a token that was revoked opens nothing`() throws {
    let server = try OAuth2Server.own()
    let tokens = try grant(.alice, at: server)
    #expect(try status("/api/me", tokens, at: server) == 200)
    #expect(try status("/api/bare", tokens, at: server) == 200)
    #expect(try server.revokeTokens(of: .alice) == 1)
    #expect(try status("/api/me", tokens, at: server) == 401)
    #expect(try status("/api/bare", tokens, at: server) == 403)
    #expect(try refresh(tokens, at: server).status == 400)
  }

  @Test func `tokens outlive a restart`() throws {
    let server = try OAuth2Server.own()
    let tokens = try grant(.alice, at: server)
    try server.stop()
    #expect(try Curl.run([server.base]).status == 7)  // CURLE_COULDNT_CONNECT
    try server.startAgain()
    #expect(try status("/api/me", tokens, at: server) == 200)
  }

  @Test(arguments: [false, true])
  func `a device gets what the person says`(_ isAllowed: Bool) throws {
    let server = try OAuth2Server.shared()
    let codes = try JSONObject(
      Curl.run([
        "-d", "client_id=gatebook-device", "-d", "scope=read", server.deviceURL,
      ]).output)
    let question = [
      "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
      "device_code": try #require(codes["device_code"]?.text),
    ]
    let before = try server.token(.device, question)
    #expect(before.answer["error"]?.text == "authorization_pending")
    let page = try #require(codes["verification_uri"]?.text)
    try Person.bob.visit(page, entering: codes["user_code"]?.text, allowing: isAllowed)
    let after = try server.token(.device, question)
    #expect(after.status == (isAllowed ? 200 : 400))
    #expect(after.answer["error"]?.text == (isAllowed ? nil : "access_denied"))
  }

  @Test func `a login by JSON is kept by its cookie`() throws {
    let server = try OAuth2Server.shared()
    let folder = try TestServers.folder("jar")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let jar = ["--cookie", folder + "/jar", "--cookie-jar", folder + "/jar"]
    let login = server.base + "/json/login"
    let wrong = #"{"username":"alice","password":"not-it"}"#
    #expect(try Curl.status(jar + ["--json", wrong, login]) == 401)
    #expect(try Curl.status(jar + [server.base + "/json/me"]) == 401)
    let right = #"{"username":"alice","password":"alice-pass-1"}"#
    #expect(try Curl.status(jar + ["--json", right, login]) == 200)
    let told = try JSONObject(Curl.run(jar + [server.base + "/json/me"]).output)
    #expect(told["username"]?.text == "alice")
    #expect(try Curl.status(jar + ["-X", "POST", server.base + "/json/logout"]) == 200)
    #expect(try Curl.status(jar + [server.base + "/json/me"]) == 401)
  }
}
