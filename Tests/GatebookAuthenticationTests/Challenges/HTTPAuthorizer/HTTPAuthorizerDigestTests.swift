internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

/// What an authorizer does with a server that asks for Digest (RFC 7616).
struct HTTPAuthorizerDigestTests {
  @Test(arguments: ["MD5", "SHA-256", "SHA-512-256"], ["", "-sess"])
  func `a server that asks is answered, and from then on unasked`(
    _ hash: String, _ session: String
  ) throws {
    for quality in ["auth", "auth-int"] {
      var client = try AuthorizedClient()
      var server = DigestServer()
      server.algorithm = hash + session
      server.quality = quality
      for method in ["GET", "POST"] {
        let ending = try client.send("/b?c=d", method: method, body: method == "GET" ? "" : "x=y") {
          server.reply(to: $0)
        }
        #expect(ending == "final 200", "\(hash)\(session) \(quality) \(method)")
      }
      #expect(client.answers == ["-", "n1 00000001", "n1 00000002"])
    }
  }

  @Test func `an old server is answered without qop`() throws {
    var client = try AuthorizedClient()
    var server = DigestServer()
    server.algorithm = "MD5"
    server.quality = nil
    #expect(try client.send { server.reply(to: $0) } == "final 200")
    #expect(client.answers == ["-", "n1"])
  }

  @Test func `a server that wants it gets the name hashed`() throws {
    var client = try AuthorizedClient()
    var server = DigestServer()
    server.extra = ", userhash=true"
    server.user = "7bfd6d39e2f7a8f9f1c2"
    _ = try client.send { server.reply(to: $0) }
    let parts = try #require(client.sent.last.flatMap { DigestServer.parts(of: $0) })
    #expect(parts["userhash"] == "true")
    #expect(parts["username"] == Hex.encode(HashFunction.sha256.hash(Array("ada:members".utf8))))
  }

  @Test func `the client nonce is new each time, but one for a session key`() throws {
    for (algorithm, count) in [("SHA-256", 3), ("SHA-256-sess", 1)] {
      var client = try AuthorizedClient()
      var server = DigestServer()
      server.algorithm = algorithm
      for _ in 0..<3 { #expect(try client.send { server.reply(to: $0) } == "final 200") }
      let nonces = client.sent.compactMap { DigestServer.parts(of: $0)?["cnonce"] }
      #expect(Set(nonces).count == count)
      #expect(nonces.allSatisfy { $0.utf8.count == 32 })
    }
  }

  @Test func `too old a nonce is replaced at once, and nobody is asked`() throws {
    for algorithm in ["MD5", "SHA-256-sess"] {
      var client = try AuthorizedClient()
      var server = DigestServer()
      server.algorithm = algorithm
      _ = try client.send { server.reply(to: $0) }
      server = DigestServer()
      server.algorithm = algorithm
      server.nonce = "n2"
      #expect(try client.send { server.reply(to: $0) } == "final 200")
      #expect(client.answers == ["-", "n1 00000001", "n1 00000002", "n2 00000001"])
    }
  }

  @Test func `a server that calls every nonce too old is not asked for ever`() throws {
    var client = try AuthorizedClient()
    var server = DigestServer()
    let ending = try client.send { request in
      defer { server.nonce += "x" }
      return server.reply(to: request)
    }
    #expect(ending == "stale")
    let nonces = ["n1", "n1x", "n1xx", "n1xxx", "n1xxxx"]
    #expect(client.answers == ["-"] + nonces.map { "\($0) 00000001" })
  }

  @Test func `a wrong password is tried once`() throws {
    var client = try AuthorizedClient()
    var server = DigestServer()
    server.password = "hare"
    #expect(try client.send { server.reply(to: $0) } == "refused")
    #expect(client.sent.count == 2)
  }

  @Test func `a refusal of an answer nobody had asked for is one too`() throws {
    var client = try AuthorizedClient()
    var server = DigestServer()
    _ = try client.send { server.reply(to: $0) }
    server.password = "hare"
    let attempt = try client.begin()
    #expect(client.take(server.challenge(), to: attempt).ending == "refused")
    #expect(client.answers == ["-", "n1 00000001", "n1 00000002"])
  }

  /// RFC 7616 section 3.6.
  @Test(arguments: ["MD5", "SHA-256", "SHA-256-sess"], [false, true])
  func `a new nonce for one that was accepted before is used at once`(
    _ algorithm: String, _ isStale: Bool
  ) throws {
    var client = try AuthorizedClient()
    var server = DigestServer()
    server.algorithm = algorithm
    _ = try client.send { server.reply(to: $0) }
    server = DigestServer()
    server.algorithm = algorithm
    server.nonce = "n2"
    let ending = try client.send { request in
      let isOld = DigestServer.parts(of: request)?["nonce"] == "n1"
      return isOld ? server.challenge(isStale: isStale) : server.reply(to: request)
    }
    #expect(ending == "final 200")
    #expect(client.answers == ["-", "n1 00000001", "n1 00000002", "n2 00000001"])
  }

  @Test func `a changed password is sent once more with the new nonce, and then refused`() throws {
    var client = try AuthorizedClient()
    var server = DigestServer()
    _ = try client.send { server.reply(to: $0) }
    server.password = "hare"
    server.nonce = "n2"
    let ending = try client.send { request in
      defer { server.nonce += "x" }
      return server.challenge()
    }
    #expect(ending == "refused")
    #expect(client.answers == ["-", "n1 00000001", "n1 00000002", "n2 00000001"])
    // What was never accepted is not sent again.
    server.nonce = "n3"
    #expect(try client.send { _ in server.challenge() } == "refused")
    #expect(client.answers.count == 5)
  }

  @Test func `a refusal without a challenge is a refusal all the same`() throws {
    var client = try AuthorizedClient()
    let server = DigestServer()
    let first = client.take(server.challenge(), to: try client.begin())
    #expect(client.take(.answer(401), to: try #require(first.next)).ending == "refused")
  }

  @Test func `a nonce is counted on when the server comes back to it`() throws {
    var client = try AuthorizedClient()
    for nonce in ["a", "b", "a", "a", "b"] {
      var server = DigestServer()
      server.nonce = nonce
      let attempt = try client.begin()
      _ = client.take(server.challenge(isStale: true), to: attempt)
    }
    #expect(client.answers.filter { $0.hasPrefix("a") }.count == 6)
    #expect(Set(client.answers).count == client.answers.count)
  }

  @Test func `the announced nonce is used next`() throws {
    for algorithm in ["MD5", "SHA-256-sess"] {
      var client = try AuthorizedClient()
      var server = DigestServer()
      server.algorithm = algorithm
      for next in ["n2", "n3", "n3"] {
        server.nextNonce = next
        #expect(try client.send { server.reply(to: $0) } == "final 200")
      }
      #expect(client.answers == ["-", "n1 00000001", "n2 00000001", "n3 00000001"])
      #expect(try client.begin().request.field("Authorization")?.contains("nc=00000002") == true)
    }
  }

  @Test(arguments: [200, 204, 302, 403, 404, 500])
  func `a reply with the wrong proof is not used, whatever its status`(_ status: Int) throws {
    for proof in ["", "0", String(repeating: "0", count: 64)] {
      var client = try AuthorizedClient()
      var server = DigestServer()
      server.falseProof = proof
      server.nextNonce = "evil"
      let ending = try client.send { request in
        var reply = server.reply(to: request)
        if reply.status == 200 { reply.status = status }
        return reply
      }
      #expect(ending == "untrusted")
      #expect(try client.begin().request.field("Authorization")?.contains("evil") == false)
    }
  }

  @Test func `a reply need not prove anything`() throws {
    for fields in [[], [HTTPField("Authentication-Info", "nextnonce=\"n2\"")]] {
      var client = try AuthorizedClient()
      let first = client.take(DigestServer().challenge(), to: try client.begin())
      let reply = HTTPReply(status: 200, fields: fields)
      #expect(client.take(reply, to: try #require(first.next)).ending == "final 200")
    }
  }

  @Test func `a proof that cannot be read is not trusted`() throws {
    var client = try AuthorizedClient()
    let first = client.take(DigestServer().challenge(), to: try client.begin())
    let reply = HTTPReply.answer(200, ["Authentication-Info": "rspauth=\"a"])
    #expect(client.take(reply, to: try #require(first.next)).ending == "untrusted")
  }

  @Test func `proofs in replies to requests without an answer say nothing`() throws {
    var client = try AuthorizedClient()
    let reply = HTTPReply.answer(200, ["Authentication-Info": "rspauth=\"0\", nextnonce=\"x\""])
    #expect(client.take(reply, to: try client.begin()).ending == "final 200")
    #expect(try client.begin().request.field("Authorization") == nil)
  }

  @Test func `the proof of auth-int is over a body without a coding`() throws {
    var client = try AuthorizedClient()
    var server = DigestServer()
    server.quality = "auth-int"
    #expect(try client.send { server.reply(to: $0) } == "final 200")
    #expect(client.sent.map { $0.field("Accept-Encoding") } == [nil, "identity"])
    let attempt = try client.begin()
    var reply = server.reply(to: attempt.request)
    reply.body.append(0x20)
    #expect(client.take(reply, to: attempt).ending == "untrusted")
  }

  @Test func `answers go unasked to the domain only, and elsewhere when asked`() throws {
    var client = try AuthorizedClient()
    var server = DigestServer()
    server.extra = ", domain=\"/in\""
    for path in ["/in/a", "/out", "/in", "/out"] {
      #expect(try client.send(path) { server.reply(to: $0) } == "final 200")
    }
    #expect(
      client.answers == [
        "-", "n1 00000001", "-", "n1 00000002", "n1 00000003", "-", "n1 00000004",
      ])
  }

  @Test func `an app's own field gives way to the answer`() throws {
    var client = try AuthorizedClient()
    var server = DigestServer()
    _ = try client.send { server.reply(to: $0) }
    var request = HTTPRequest.get(try .at("https://www.example.test/"))
    request.fields = [HTTPField("authorization", "Bearer x")]
    let attempt = client.authorizer.authorise(request, random: client.random())
    #expect(attempt.request.fields.values(of: "Authorization").count == 1)
    #expect(attempt.request.field("Authorization")?.hasPrefix("Digest ") == true)
  }

  @Test func `a request that somebody else sent is answered too`() throws {
    var client = try AuthorizedClient(realm: "members")
    var server = DigestServer()
    let request = HTTPRequest("PUT", try .at("https://www.example.test/"), body: [1, 2])
    let attempt = HTTPAttempt(unanswered: request)
    let next = try #require(client.take(server.challenge(), to: attempt).next)
    #expect(next.request.method == "PUT" && next.request.body == [1, 2])
    #expect(client.take(server.reply(to: next.request), to: next).ending == "final 200")
  }
}
