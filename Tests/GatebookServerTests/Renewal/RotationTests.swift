internal import Testing

/// Renewals at a server that ends a whole family of tokens when one that was spent comes again.
@Suite(.enabled(if: TestServers.areRunning, TestServers.reason))
struct RotationTests {
  private let gatebook: GatebookTool

  init() throws {
    gatebook = try GatebookTool()
  }

  @Test func `two processes renew 50 times, and the server never sees a spent token`() throws {
    let server = try OAuth2Server.own()
    let account = try gatebook.logIn(.alice, at: server)
    let before = try gatebook.kinds().count
    for round in 1...50 {
      // What this one gets does not live long enough for those that ask; what comes after it does.
      try server.setAccessLifetime(60)
      _ = try gatebook.object(["refresh"])
      try server.setAccessLifetime(600)
      let sent = try server.refreshes(answered: false).count
      let racing = try (1...2).map { _ in
        try gatebook.start(["token", "--min-lifetime", "300"])
      }
      let endings = try racing.map { try $0.end() }
      for ending in endings {
        #expect(ending.status == 0, "round \(round): \(ending.errors)")
      }
      let token = String(endings[0].output.dropLast())
      #expect(endings[1].output == endings[0].output, "round \(round)")
      #expect(try server.isActive(token), "round \(round)")
      #expect(try server.refreshes(answered: false).count == sent + 1, "round \(round)")
    }
    let refreshes = try server.refreshes(answered: true)
    #expect(refreshes.count == 100)
    #expect(refreshes.allSatisfy { $0.status == 200 })
    #expect(Set(refreshes.map(\.token)).count == 100)
    let kinds = try gatebook.kinds(after: before)
    #expect(kinds.count { $0 == "refresh.started" } == 100)
    #expect(kinds.count { $0 == "refresh.succeeded" } == 100)
    // The first refresh brings the first ID token, which is checked.
    #expect(kinds.count { $0 == "session.verified" } == 1)
    #expect(Set(kinds) == ["refresh.started", "refresh.succeeded", "session.verified"])
    let current = try gatebook.object(["whoami"])
    #expect(current["id"]?.text == account["id"]?.text)
    #expect(current["state"]?.text == "active")
    #expect(try server.liveTokens(of: .alice) == (access: 1, refresh: 1))
    #expect(try gatebook.user(at: server) == "alice")
  }

  @Test func `a token that does not live long enough is renewed once for all who ask`() throws {
    let server = try OAuth2Server.own(["ACCESS_TTL": "60"])
    try gatebook.logIn(.bob, at: server)
    let old = try gatebook.token()
    try server.setAccessLifetime(600)
    let asking = try (1...6).map { _ in
      try gatebook.start(["token", "--min-lifetime", "300"])
    }
    let endings = try asking.map { try $0.end() }
    #expect(endings.allSatisfy { $0.status == 0 }, "\(endings.map(\.errors))")
    #expect(Set(endings.map(\.output)).count == 1)
    #expect(endings[0].output != old + "\n")
    #expect(try server.refreshes(answered: false).count == 1)
    #expect(try server.isActive(String(endings[0].output.dropLast())))
  }

  @Test func `a token that the server takes no more is renewed, and the request sent again`()
    throws
  {
    let server = try OAuth2Server.own()
    try gatebook.logIn(.alice, at: server)
    let before = try gatebook.kinds().count
    let sent = try server.requests().count { $0.path == "/api/me" }
    #expect(try server.expireTokens(of: .alice) == 1)
    #expect(try gatebook.user(at: server) == "alice")
    let requests = try server.requests().filter { $0.path == "/api/me" }.dropFirst(sent)
    #expect(requests.map(\.status) == [401, 200])
    #expect(
      try gatebook.kinds(after: before) == [
        "refresh.started", "refresh.succeeded", "session.verified",
      ])
  }
}
