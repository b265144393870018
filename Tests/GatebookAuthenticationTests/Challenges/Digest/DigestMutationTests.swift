internal import GatebookAuthentication
internal import GatebookCrypto
internal import Testing

/// Damaged challenges and proofs: nothing traps, and nothing is taken for what it is not.
struct DigestMutationTests {
  private static let challenges = [
    "Digest realm=\"a b\", nonce=\"n\", qop=\"auth,auth-int\", algorithm=SHA-256, opaque=\"o\"",
    "Digest realm=\"r\", nonce=\"n\", stale=true, domain=\"/a https://www.example.test/b\"",
    "Digest realm=r, nonce=\"n\\\"m\", qop=auth-int, algorithm=MD5-sess, userhash=true, Basic",
  ]

  @Test(arguments: Mutations.seeds)
  func `an answer to a damaged challenge is whole`(_ seed: UInt64) throws {
    var answers = 0
    for bytes in Mutations(of: Self.challenges, marks: ",=\"\\ /", seed: seed) {
      let text = String(decoding: bytes, as: UTF8.self)
      let reply = HTTPReply(status: 401, fields: [HTTPField("WWW-Authenticate", text)])
      var client = try AuthorizedClient()
      guard let next = client.take(reply, to: try client.begin()).next,
        let field = next.request.field("Authorization"), field.hasPrefix("Digest ")
      else { continue }
      answers += 1
      // An answer has the form of a challenge: read back, it says what the challenge said.
      let parts = try #require(ChallengeList.parse([field]).first, "\(text)")
      let offered = reply.challenges.compactMap { DigestChallenge($0) }
      let asked = try #require(
        offered.first { $0.realm == parts.realm && $0.nonce == parts["nonce"] }, "\(text)")
      #expect(parts["opaque"] == asked.opaque, "\(text)")
      #expect(parts["qop"] == asked.quality?.rawValue, "\(text)")
      #expect(parts["response"]?.utf8.count == asked.algorithm.hash.count * 2, "\(text)")
      #expect(field.utf8.allSatisfy { $0 == 9 || ($0 >= 32 && $0 != 127) }, "\(text)")
    }
    #expect(answers > 50)
  }

  @Test(arguments: Mutations.seeds)
  func `a damaged proof is no proof`(_ seed: UInt64) throws {
    var client = try AuthorizedClient()
    var server = DigestServer()
    let attempt = try #require(client.take(server.challenge(), to: try client.begin()).next)
    let good = server.reply(to: attempt.request)
    let line = try #require(good.fields.first("Authentication-Info"))
    let proof = line.split(separator: "\"")[1]
    for bytes in Mutations(of: [line], marks: ",=\" ", seed: seed) {
      let text = String(decoding: bytes, as: UTF8.self)
      let reply = HTTPReply(status: 200, fields: [HTTPField("Authentication-Info", text)])
      guard client.take(reply, to: attempt).ending == "final 200" else { continue }
      // Then the field is a list, and either says the whole proof or nothing at all about it.
      let parts = AuthenticationChallenge(
        "x", parameters: ChallengeList.parse(["x a=b,\(text)"]).first?.parameters ?? [])
      #expect(!parts.parameters.isEmpty, "\(text)")
      #expect(parts["rspauth"].map { $0.lowercased() == proof } ?? true, "\(text)")
    }
  }
}
