internal import Testing

/// What the tests of logins rely on.
@Suite(.enabled(if: TestServers.areRunning, TestServers.reason))
struct ApacheServerTests {
  private let apache: ApacheServer

  init() throws {
    apache = try .shared()
  }

  @Test(arguments: ["alice:alice-pass-1", "Mufasa:Circle of Life", "žofie:heslo-ěšč"])
  func `Digest lets the right password in and no other`(_ credentials: String) throws {
    let digest = ["--digest", apache.digestURL, "--user"]
    #expect(try Curl.run(digest + [credentials]).output == "secret of digest\n")
    #expect(try Curl.status(digest + [credentials + "x"]) == 401)
    #expect(try Curl.status(["--basic", apache.digestURL, "--user", credentials]) == 401)
  }

  @Test func `a nonce grows stale`() throws {
    let hasty = try ApacheServer.own(["DIGEST_TTL": "1"])
    let challenge = try Curl.run(["--include", hasty.digestURL]).output
    #expect(!challenge.contains("stale="))
    let nonce = try #require(challenge.firstMatch(of: #/nonce="([^"]*)"/#)).1
    // RFC 7616, section 3.4.1, with MD5 and qop=auth.
    let secret = try md5("alice:digest-area:alice-pass-1")
    let response = try md5("\(secret):\(nonce):00000001:0a4f113b:auth:\(md5("GET:/digest/"))")
    let header = """
      Authorization: Digest username="alice", realm="digest-area", nonce="\(nonce)", \
      uri="/digest/", algorithm=MD5, qop=auth, nc=00000001, cnonce="0a4f113b", \
      response="\(response)"
      """
    // The clock that makes a nonce old is Apache's own: curl waits between its two requests. On a
    // busy machine the first may come too late already. "Stale" is said to a right answer only.
    let replies = try Curl.run([
      "--include", "--rate", "45/m", "-H", header, hasty.digestURL, hasty.digestURL,
    ]).output
    let last = try #require(replies.ranges(of: "HTTP/1.1 ").last)
    #expect(replies[last.lowerBound...].hasPrefix("HTTP/1.1 401"))
    #expect(replies[last.lowerBound...].contains("stale=true"))
  }

  @Test func `a changed password is changed for Basic and for Digest`() throws {
    let own = try ApacheServer.own()
    try own.changePassword(of: "alice")
    for method in ["basic", "digest"] {
      let request = ["--\(method)", "\(own.base)/\(method)/alice/", "--user"]
      #expect(try Curl.run(request + ["alice:changed-alice"]).output == "only for alice\n")
      #expect(try Curl.status(request + ["alice:alice-pass-1"]) == 401)
      #expect(try Curl.status(request + ["bob:bob-pass-1"]) == 403)
    }
  }

  /// The numbers are OpenSSL's (X509_V_ERR_...).
  @Test(arguments: [
    (ApacheServer.Listener.good, 0), (.expired, 10), (.wrongHost, 64), (.selfSigned, 18),
  ])
  func `a certificate has the fault it is named after`(
    _ listener: ApacheServer.Listener, _ code: Int
  ) throws {
    let place = try apache.base(listener).replacing("https://", with: "")
    let session = try ChildProcess.run(
      "openssl",
      [
        "s_client", "-connect", place, "-CAfile", apache.certificates.authority,
        "-verify_ip", "127.0.0.1",
      ], environment: TestServers.environment)
    let verdicts = session.output.matches(of: #/Verify return code: (\d+) /#).map { Int($0.1) }
    #expect(verdicts.first == code)
  }

  @Test(arguments: ApacheServer.Listener.allCases)
  func `a pin is that of the key that is shown`(_ listener: ApacheServer.Listener) throws {
    let files = apache.certificates
    let request = [
      "--insecure", "--cert", files.client, "--key", files.clientKey,
      try apache.base(listener) + "/public/", "--pinnedpubkey",
    ]
    let right = try Curl.run(request + [curlPin(files.pin(listener))])
    #expect(right.status == 0, "\(right.errors)")
    #expect(right.output == "open to all\n")
    let another = listener == .selfSigned ? ApacheServer.Listener.good : .selfSigned
    // CURLE_SSL_PINNEDPUBKEYNOTMATCH
    #expect(try Curl.run(request + [curlPin(files.pin(another))]).status == 90)
  }

  @Test func `a path asks for a client's certificate`() throws {
    let files = apache.certificates
    let request = ["--cacert", files.authority, try apache.certificateURL]
    #expect(try Curl.status(request) == 403)
    let reply = try Curl.run(
      request + ["--include", "--cert", files.client, "--key", files.clientKey])
    #expect(reply.output.contains("X-Client-DN: CN=alice"))
    #expect(reply.output.hasSuffix("secret of cert\n"))
    let rogue = ["--cert", files.rogueClient, "--key", files.rogueClientKey]
    #expect(try Curl.run(request + rogue).status != 0)
  }

  @Test func `a handshake asks for a client's certificate`() throws {
    let files = apache.certificates
    let request = ["--cacert", files.authority, try apache.base(.clientRequired) + "/public/"]
    #expect(try Curl.run(request).status != 0)
    let rogue = ["--cert", files.rogueClient, "--key", files.rogueClientKey]
    #expect(try Curl.run(request + rogue).status != 0)
    let known = ["--cert", files.client, "--key", files.clientKey]
    #expect(try Curl.run(request + known).output == "open to all\n")
  }

  private func md5(_ text: String) throws -> String {
    let result = try ChildProcess.run(
      "md5sum", [], environment: TestServers.environment, input: text)
    try #require(result.status == 0, "\(result.errors)")
    return String(result.output.prefix(32))
  }

  /// curl writes two strokes.
  private func curlPin(_ pin: String) -> String {
    pin.replacing("sha256/", with: "sha256//", maxReplacements: 1)
  }
}
