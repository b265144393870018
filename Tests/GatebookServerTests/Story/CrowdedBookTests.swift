internal import Foundation
internal import Testing

/// Many accounts in one book at a server that takes every mistake with tokens for theft.
@Suite(.enabled(if: TestServers.areRunning, TestServers.reason))
struct CrowdedBookTests {
  private static let people = 20

  /// 20 accounts, 8 threads, a minute: any of them may renew, switch, send and log out at any time.
  @Test func `no request carries another account's token, and nobody is logged out`() throws {
    // Short lives, so that tokens end while they are in use, too.
    let server = try OAuth2Server.own(["ACCESS_TTL": "12"])
    let folder = try TestServers.folder("crowd")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let book = ["--book", folder + "/crowd.gatebook", "--key", "file:" + folder + "/crowd.key"]
    let gatebook = try GatebookTool()
    let seed = "\(UInt32.random(in: 0 ... .max))"
    let crowd = try RunningTool(
      GatebookTool.program("CrowdedBook"),
      [book[1], folder + "/crowd.key", server.base, TestServers.crowdedSeconds, seed],
      environment: [:])
    let ending = try crowd.end()
    #expect(ending.status == 0, "seed \(seed): \(ending.output)\(ending.errors)")
    let last = ending.output.split(separator: "\n").last ?? ""
    let done = Dictionary(
      uniqueKeysWithValues: last.split(separator: " ").dropFirst().compactMap { pair in
        let sides = pair.split(separator: "=")
        return Int(sides[1]).map { (String(sides[0]), $0) }
      })
    for what in ["send", "token", "refresh", "switch", "logout"] {
      #expect(done[what] ?? 0 > 0, "no \(what): \(last)")
    }

    try expectNobodyMixedUp(server)
    for number in 1...Self.people {
      let live = try server.liveTokens(of: .numbered(number))
      #expect(live.refresh == 1, "user \(number)")
    }
    #expect(try gatebook.object(["verify"] + book)["ok"]?.bool == true)
    #expect(try gatebook.run(["rebuild", "--check"] + book).status == 0)
    let kinds = try gatebook.lines(["log"] + book).compactMap { $0["kind"]?.text }
    let logouts = try #require(done["logout"])
    #expect(kinds.count { $0 == "logout.requested" } == logouts)
    #expect(kinds.count { $0 == "logout.completed" } >= logouts)
    #expect(kinds.count { $0 == "login.succeeded" } == Self.people + logouts)
    for kind in ["session.ended", "session.expired", "session.uncertain", "login.failed"] {
      #expect(!kinds.contains(kind), "\(kind)")
    }
    let accounts = try gatebook.lines(["accounts"] + book)
    #expect(accounts.count == Self.people)
    #expect(accounts.allSatisfy { $0["state"]?.text == "active" })
  }

  /// The server's own log: whom a token spoke for is who asked, and no token speaks for two.
  private func expectNobodyMixedUp(_ server: OAuth2Server) throws {
    let requests = try server.requests()
    var speakers: [String: String] = [:]
    var heard = 0
    for request in requests where request.path == "/api/me" {
      let query = URLComponents(string: "?" + request.query)?.queryItems ?? []
      let asked = try #require(query.first { $0.name == "as" }?.value)
      let token = try #require(request.token)
      #expect(speakers.updateValue(asked, forKey: token) ?? asked == asked)
      guard request.status == 200 else { continue }
      #expect(request.user == asked, "\(request.query)")
      heard += 1
    }
    #expect(heard > Self.people)
    // A token that was spent is never sent again.
    var refreshed: Set<String> = []
    var takenBack: Set<String> = []
    for request in requests {
      if let token = request.revoked { takenBack.insert(token) }
      guard request.grant == "refresh_token", request.status != 0 else { continue }
      let token = try #require(request.token)
      #expect(refreshed.insert(token).inserted, "sent again: \(request)")
      // A logout may overtake a refresh on its way: only what it took back before may be refused.
      let isOvertaken = request.status == 400 && takenBack.contains(token)
      #expect(request.status == 200 || isOvertaken, "\(request)")
    }
  }
}
