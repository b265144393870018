import GatebookCrypto
import Testing

@testable import GatebookFakes

/// A server in front that asks for Digest.
@Suite struct PortalFrontTests {
  private let portal: FakeLiferayPortal

  init() throws {
    portal = try startedPortal {
      $0.front = FakePortalFront(
        realm: "a, b", name: "Dörte", password: "k:y", schemes: [.sha256, .md5, .basic])
    }
  }

  private func challenges(_ answer: Answer?) -> [String] {
    answer?.values("WWW-Authenticate") ?? []
  }

  private func nonce(_ challenge: String?) -> String {
    guard let text = challenge, let start = text.firstRange(of: "nonce=\"")?.upperBound else {
      return ""
    }
    return String(text[start...].prefix { $0 != "\"" })
  }

  private func ask(
    _ hash: HashFunction, nonce: String, count: Int = 1, password: String = "k:y",
    signedTarget: String = "/?q=1"
  ) -> Answer? {
    let digits = String(count, radix: 16)
    let padded = String(repeating: "0", count: 8 - digits.count) + digits
    let (first, second) = (hash.hex("Dörte:a, b:\(password)"), hash.hex("GET:\(signedTarget)"))
    let response = hash.hex("\(first):\(nonce):\(padded):c:auth:\(second)")
    let algorithm = hash == .md5 ? "MD5" : "SHA-256"
    let answer =
      "Digest username*=UTF-8''D%C3%B6rte, realm=\"a, b\", nonce=\"\(nonce)\", uri=\"/?q=1\", "
      + "algorithm=\(algorithm), qop=auth, nc=\(padded), cnonce=\"c\", opaque=\"gatebook\", "
      + "response=\"\(response)\""
    return RawClient.ask(portal.port, "GET", "/?q=1", [("Authorization", answer)])
  }

  @Test func `every scheme is a challenge of its own, in order`() {
    let offered = challenges(RawClient.ask(portal.port, "GET", "/"))
    #expect(offered.count == 3)
    #expect(offered[0].hasPrefix(#"Digest realm="a, b", qop="auth", algorithm=SHA-256, nonce=""#))
    #expect(offered[1].hasPrefix(#"Digest realm="a, b", qop="auth", algorithm=MD5, nonce=""#))
    #expect(offered[2] == #"Basic realm="a, b""#)
    #expect(!offered.joined().contains("stale"))
    let basic = [("Authorization", "Basic \(Visitor.base64("Dörte:k:y"))")]
    #expect(RawClient.ask(portal.port, "GET", "/", basic)?.status == 200)
    portal.switches.front?.schemes = [.md5]
    #expect(RawClient.ask(portal.port, "GET", "/", basic)?.status == 401)
  }

  @Test(arguments: [HashFunction.md5, .sha256])
  func `a right answer is let through and answered with a proof`(_ hash: HashFunction) {
    let offered = challenges(RawClient.ask(portal.port, "GET", "/"))
    let nonce = nonce(offered[hash == .md5 ? 1 : 0])
    let answer = ask(hash, nonce: nonce)
    #expect(answer?.status == 200)
    let first = hash.hex("Dörte:a, b:k:y")
    let proof = hash.hex("\(first):\(nonce):00000001:c:auth:\(hash.hex(":/?q=1"))")
    #expect(
      answer?["Authentication-Info"]
        == "qop=auth, rspauth=\"\(proof)\", cnonce=\"c\", nc=00000001")
    #expect(portal.requests.last?.scheme == .guest)
  }

  @Test func `a wrong answer is refused without stale, a used one with it`() {
    let nonce = nonce(challenges(RawClient.ask(portal.port, "GET", "/")).first)
    for wrong in [
      ask(.sha256, nonce: nonce, password: "key"), ask(.sha256, nonce: nonce, signedTarget: "/"),
    ] {
      #expect(wrong?.status == 401)
      #expect(!challenges(wrong).joined().contains("stale"))
    }
    #expect(ask(.sha256, nonce: nonce, count: 2)?.status == 200)
    for stale in [
      ask(.sha256, nonce: nonce, count: 2), ask(.sha256, nonce: nonce, count: 1),
      ask(.sha256, nonce: "made-up"),
    ] {
      #expect(stale?.status == 401)
      #expect(challenges(stale).first?.hasSuffix(", stale=true") == true)
    }
    #expect(ask(.sha256, nonce: nonce, count: 3)?.status == 200)
  }

  @Test func `a nonce is stale after its uses`() {
    portal.switches.front?.nonceUses = 2
    let nonce = nonce(challenges(RawClient.ask(portal.port, "GET", "/")).first)
    let answers = (1...3).map { ask(.sha256, nonce: nonce, count: $0) }
    #expect(answers.map { $0?.status } == [200, 200, 401])
    let fresh = self.nonce(challenges(answers[2]).first)
    #expect(ask(.sha256, nonce: fresh)?.status == 200)
  }
}
