internal import Foundation
internal import Testing

/// The real `git` at a real server, with `gatebook credential git` as its helper.
@Suite(.enabled(if: TestServers.areRunning, TestServers.reason))
struct GitTests {
  private let gatebook: GatebookTool

  init() throws {
    gatebook = try GatebookTool()
    try gatebook.installForPrograms()
  }

  private var copy: String { gatebook.home + "/copy" }

  @Test func `a password clones, fetches twenty submodules at once and pushes`() throws {
    let forge = try ForgeServer.own()
    _ = try gatebook.object(forge.login(.alice), answers: [Person.alice.password])
    let before = try gatebook.kinds().count
    try work(at: forge, in: .git)
    let accepted = try forge.requests(with: "part-03.git/git-receive-pack")
    #expect(accepted.last == "alice /git/part-03.git/git-receive-pack 200")
    // What was accepted is recorded once, however many processes say so.
    #expect(try gatebook.kinds(after: before) == ["credential.accepted"])
    #expect(try gatebook.facts(of: "credential.accepted").map { $0["program"]?.text } == ["git"])
    let basic = Data("alice:\(Person.alice.password)".utf8).base64EncodedString()
    #expect(try gatebook.files(holding: [Person.alice.password, basic]).isEmpty)
  }

  @Test func `an expired token is renewed once for all twenty submodules`() throws {
    let server = try OAuth2Server.own(["ACCESS_TTL": "1"])
    let forge = try ForgeServer.own(tokensOf: server)
    try gatebook.logIn(.alice, at: server, by: "oidc", .password, ["--allow-origin", forge.base])
    try server.setAccessLifetime(600)
    try gatebook.waitForEndOfAccess(of: .alice, at: server)
    let before = try gatebook.kinds().count
    try work(at: forge, in: .token)
    #expect(try server.refreshes(answered: true).map(\.status) == [200])
    #expect(
      try Set(gatebook.kinds(after: before)) == [
        "refresh.started", "refresh.succeeded", "session.verified", "credential.accepted",
      ])
    #expect(try server.liveTokens(of: .alice) == (access: 1, refresh: 1))
    #expect(try gatebook.files(holding: [gatebook.token()]).isEmpty)
  }

  /// Clones, fetches all submodules at once, and pushes from one of them.
  private func work(at forge: ForgeServer, in area: ForgeServer.Area) throws {
    try gatebook.require("git", ["clone", "-q", forge.repository("whole", in: area), copy])
    let all = ["submodule", "update", "--init", "--jobs", "20"]
    try gatebook.require("git", ["-C", copy] + all)
    for number in 1...20 {
      let name = "part \(number < 10 ? "0" : "")\(number)"
      let path = "\(copy)/\(name.replacing(" ", with: "-"))/part"
      #expect(try String(contentsOfFile: path, encoding: .utf8) == name + "\n")
    }
    let fetch = ["fetch", "--recurse-submodules=yes", "--jobs", "20"]
    try gatebook.require("git", ["-C", copy] + fetch)
    let part = ["-C", copy + "/part-03"]
    try gatebook.require("git", part + ["commit", "-q", "--allow-empty", "-m", "Second"])
    try gatebook.require("git", part + ["push", "-q", "origin", "HEAD:main"])
    let made = try gatebook.require("git", part + ["rev-parse", "HEAD"])
    #expect(try forge.head(of: "part-03") + "\n" == made)
  }

  @Test func `a URL's user gets that user's password, and nobody else's goes there`() throws {
    let forge = try ForgeServer.own()
    for person in [Person.bob, .alice] {
      _ = try gatebook.object(forge.login(person), answers: [person.password])
    }
    let known = try forge.requests(with: "/git/").count
    // The current account is alice's.
    try gatebook.require("git", ["clone", "-q", forge.repository("bob/own", of: "bob"), copy])
    #expect(try String(contentsOfFile: copy + "/own", encoding: .utf8) == "only for bob\n")
    let asked = try forge.requests(with: "/git/").dropFirst(known)
    #expect(asked.contains { $0.hasPrefix("bob ") })
    #expect(!asked.contains { $0.hasPrefix("alice ") })
    let sent = try forge.requests(with: "/git/").count
    let other = try gatebook.runProgram(
      "git", ["clone", "-q", forge.repository("part-01", of: "carol"), copy + "-2"])
    #expect(other.status == 128)
    let after = try forge.requests(with: "/git/").dropFirst(sent)
    #expect(after.allSatisfy { $0.hasSuffix(" 401") && !$0.hasPrefix("bob ") })
  }

  @Test func `a path outside of the login's part of the server gets no password`() throws {
    let forge = try ForgeServer.own()
    _ = try gatebook.object(
      forge.login(.bob, at: "/git/bob/own.git/info/refs?service=git-upload-pack"),
      answers: [Person.bob.password])
    try gatebook.require("git", ["config", "--global", "credential.useHttpPath", "true"])
    let result = try gatebook.runProgram("git", ["clone", "-q", forge.repository("part-01"), copy])
    #expect(result.status == 128)
    #expect(try forge.requests(with: "part-01").allSatisfy { $0.hasPrefix("- ") })
  }

  @Test func `a password that the server no longer takes ends the session, once it says so`() throws
  {
    let forge = try ForgeServer.own()
    _ = try gatebook.object(forge.login(.alice), answers: [Person.alice.password])
    try forge.changePassword(of: .alice)
    let before = try gatebook.kinds().count
    let result = try gatebook.runProgram("git", ["ls-remote", forge.repository("part-01")])
    #expect(result.status == 128)
    let kinds = try gatebook.kinds(after: before)
    #expect(kinds == ["credential.rejected", "session.ended"])
    // Gatebook asked for itself where the account logged in.
    #expect(try forge.requests(with: "/git/").contains("alice /git/ 401"))
    #expect(try gatebook.object(["whoami"])["state"]?.text == "needsLogin")
    #expect(try gatebook.object(["whoami"])["reason"]?.text == "refused")
    // What is over is neither handed out nor asked about again.
    let sent = try forge.requests(with: "/git/").count
    let again = try gatebook.runProgram("git", ["ls-remote", forge.repository("part-01")])
    #expect(again.status == 128)
    #expect(try forge.requests(with: "/git/").dropFirst(sent).allSatisfy { $0.hasPrefix("- ") })
  }

  @Test func `a server that is down takes nothing away`() throws {
    let forge = try ForgeServer.own()
    _ = try gatebook.object(forge.login(.alice), answers: [Person.alice.password])
    let before = try gatebook.kinds().count
    try forge.stop()
    let down = try gatebook.runProgram("git", ["ls-remote", forge.repository("part-01")])
    #expect(down.status == 128)
    #expect(try gatebook.kinds(after: before).isEmpty)
    // A report alone is no proof.
    try gatebook.require("git", ["credential", "reject"], input: credential(at: forge))
    let kinds = try gatebook.kinds(after: before)
    #expect(kinds.first == "credential.rejected")
    #expect(!kinds.contains("session.ended"))
    #expect(try gatebook.object(["whoami"])["state"]?.text != "needsLogin")

    try forge.startAgain()
    let list = try gatebook.require("git", ["ls-remote", forge.repository("part-01")])
    #expect(list.contains("refs/heads/main"))
    #expect(try gatebook.object(["whoami"])["state"]?.text == "active")
  }

  @Test func `a false report ends no session that the server confirms`() throws {
    let forge = try ForgeServer.own()
    _ = try gatebook.object(forge.login(.alice), answers: [Person.alice.password])
    let before = try gatebook.kinds().count
    try gatebook.require("git", ["credential", "reject"], input: credential(at: forge))
    #expect(try forge.requests(with: "/git/").last == "alice /git/ 200")
    let kinds = try gatebook.kinds(after: before)
    #expect(kinds.first == "credential.rejected")
    #expect(!kinds.contains("session.ended"))
    #expect(try gatebook.object(["whoami"])["state"]?.text == "active")
    try gatebook.require("git", ["clone", "-q", forge.repository("part-01"), copy])
  }

  /// What git tells a helper of a password that it had from there.
  private func credential(at forge: ForgeServer) throws -> String {
    let host = forge.base.replacing("http://", with: "")
    return """
      protocol=http
      host=\(host)
      username=alice
      password=\(Person.alice.password)


      """
  }
}
