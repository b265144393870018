internal import Foundation
internal import Testing

/// What Digest does beyond letting the right password in, which `RealLoginTests` shows.
@Suite(.enabled(if: TestServers.areRunning, TestServers.reason))
struct DigestTests {
  private let gatebook: GatebookTool
  /// In the URLs of one test alone.
  private let mark = UUID().uuidString
  private let login = ServerLogin.digest

  init() throws {
    gatebook = try GatebookTool()
  }

  private func command(_ apache: ApacheServer) -> [String] {
    [
      "login", "http", "--url", "\(apache.digestURL)?\(mark)", "--user", login.user,
      "--password-stdin",
    ]
  }

  @Test func `the events tell the scheme, in their order`() throws {
    let apache = try ApacheServer.shared()
    _ = try gatebook.object(command(apache), answers: [login.password])
    let story = [
      "book.created", "login.started", "challenge.received", "challenge.answered",
      "account.added", "login.succeeded", "account.switched",
    ]
    #expect(try gatebook.kinds() == story)
    for kind in ["challenge.received", "challenge.answered"] {
      #expect(try gatebook.facts(of: kind).map { $0["scheme"]?.text } == ["digest"])
    }
    #expect(
      try apache.requests(with: mark) == [
        "- /digest/?\(mark) 401", "\(login.user) /digest/?\(mark) 200",
      ])
  }

  @Test func `a wrong password is answered with once`() throws {
    let apache = try ApacheServer.shared()
    let (status, error) = try gatebook.failure(command(apache), answers: ["not-it"])
    #expect(status == 3)
    #expect(error["code"]?.text == "credentials.refused")
    #expect(
      try apache.requests(with: mark) == [
        "- /digest/?\(mark) 401", "\(login.user) /digest/?\(mark) 401",
      ])
    let story = [
      "book.created", "login.started", "challenge.received", "challenge.answered",
      "challenge.received", "login.failed",
    ]
    #expect(try gatebook.kinds() == story)
  }

  /// Apache reads `username` alone, with the bytes as they are, and no `username*` (RFC 7616,
  /// section 3.4).
  @Test func `a name with letters outside of ASCII is let in`() throws {
    let zofie = ServerLogin(
      method: .http, path: "/digest/", user: "žofie", password: "heslo-ěšč")
    let result = try gatebook.run(zofie.command(.shared()), answers: [zofie.password])
    #expect(result.status == 0, "\(result.errors)")
  }

  /// What is kept for Digest is as good as the password at this server (RFC 7616, section 5.13).
  @Test func `neither the password nor its hash lies beside the book`() throws {
    let apache = try ApacheServer.shared()
    _ = try gatebook.object(command(apache), answers: [login.password])
    #expect(try gatebook.run(["request", apache.digestURL]).output == login.secret)
    let hashes = try ["md5sum", "sha256sum"].map { program in
      let result = try ChildProcess.run(
        program, [], environment: TestServers.environment,
        input: "\(login.user):digest-area:\(login.password)")
      try #require(result.status == 0, "\(result.errors)")
      return String(result.output.prefix { $0 != " " })
    }
    try #require(hashes.map(\.count) == [32, 64])
    #expect(try gatebook.files(holding: [login.password] + hashes).isEmpty)
  }

  /// Seconds that a nonce is good for, and the answers of the server to one command that is sent on
  /// from one page to another: with 0 each nonce is good for one request.
  @Test(arguments: [
    (300, ["alice 200", "alice 301"]), (0, ["alice 200", "alice 301", "alice 401"]),
  ])
  func `a nonce is used until it is stale, and nobody is asked again`(
    _ lifetime: Int, _ replies: [String]
  ) throws {
    let apache = try ApacheServer.own(["DIGEST_TTL": "\(lifetime)"])
    let alice = ServerLogin(
      method: .http, path: "/digest/", user: "alice", password: "alice-pass-1")
    _ = try gatebook.object(alice.command(apache), answers: [alice.password])
    let before = try gatebook.kinds()
    let reply = try gatebook.run(["request", "\(apache.base)/digest/alice?\(mark)"])
    #expect(reply.status == 0, "\(reply.errors)")
    #expect(reply.output == "only for alice\n")
    let requests = try apache.requests(with: mark).map { request in
      request.split(separator: " ").enumerated().filter { $0.offset != 1 }.map {
        String($0.element)
      }
      .joined(separator: " ")
    }
    #expect(requests.sorted() == ["- 401"] + replies)
    #expect(try gatebook.kinds() == before)
  }
}
