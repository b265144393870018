internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

/// RFC 7515 section 7.1 and RFC 8725, before and after the signature.
struct UnverifiedTokenTests {
  private let mint: TokenMint

  init() throws {
    mint = try TokenMint()
  }

  private func verify(_ text: String) throws(JSONWebTokenRefusal) -> JSONWebClaims {
    try UnverifiedToken(text).verified(by: mint.keys, allowing: [.edDSA]).claims
  }

  private static func nested(_ depth: Int) -> String {
    String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
  }

  @Test(arguments: [
    ("[]", JSONWebTokenRefusal.content), ("1", .content), ("", .content), ("{", .content),
    ("{} {}", .content), (#"{"sub":"a","sub":"b"}"#, .content),
    (#"{"sub":"a","s\u0075b":"a"}"#, .content), (#"{"a":{"b":1,"b":1}}"#, .content),
    (nested(33), .content), ("\u{0}{}", .content), ("{'sub':1}", .content),
  ])
  func `content that is no object, or has a name twice, is refused`(
    _ content: String, _ refusal: JSONWebTokenRefusal
  ) {
    #expect(throws: refusal) { try verify(mint.token(content)) }
  }

  @Test
  func `content of 32 levels is taken`() throws {
    #expect(try verify(mint.token(Self.nested(32))).facts.names == ["a"])
  }

  @Test(arguments: [
    ("{}", JSONWebTokenRefusal.header), ("[]", .header), ("", .header),
    (#"{"alg":1}"#, .header), (#"{"alg":null}"#, .header), (#"{"alg":["EdDSA"]}"#, .header),
    (#"{"alg":"EdDSA","alg":"EdDSA"}"#, .header), (#"{"alg":"EdDSA","kid":1}"#, .header),
    (#"{"alg":"EdDSA","typ":{}}"#, .header), (#"{"alg":"none","alg":"EdDSA"}"#, .header),
    (#"{"alg":"EdDSA","crit":["exp"],"exp":1}"#, .critical),
    (#"{"alg":"EdDSA","crit":[]}"#, .critical), (#"{"alg":"EdDSA","crit":null}"#, .critical),
    (#"{"alg":"EdDSA","crit":["b64"],"b64":false}"#, .critical),
    (#"{"alg":"none"}"#, .unsigned), (#"{"alg":"None"}"#, .unsigned),
    (#"{"alg":"NONE"}"#, .unsigned), (#"{"alg":"nOnE"}"#, .unsigned),
    (#"{"alg":"n\u006fne"}"#, .unsigned),
    (#"{"alg":"none "}"#, .algorithm), (#"{"alg":""}"#, .algorithm),
    (#"{"alg":"HS256"}"#, .algorithm), (#"{"alg":"eddsa"}"#, .algorithm),
    (#"{"alg":"Ed448"}"#, .algorithm), (#"{"alg":"RSA-OAEP"}"#, .algorithm),
    (#"{"alg":"RS256","kid":"mint"}"#, .algorithm),
    (#"{"alg":"EdDSA","kid":"other"}"#, .unknownKey),
    (#"{"alg":"EdDSA","kid":""}"#, .unknownKey),
  ])
  func `a header that does not lead to a key is refused`(
    _ header: String, _ refusal: JSONWebTokenRefusal
  ) {
    #expect(throws: refusal) { try verify(mint.token("{}", header: header)) }
  }

  @Test(arguments: [
    #"{"alg":"EdDSA"}"#, #"{"typ":"JWT","alg":"EdDSA","kid":"mint"}"#,
    #"{"alg":"EdDSA","jwk":{"kty":"OKP"},"jku":"https://a.example","x5u":1,"x5c":1,"cty":"a"}"#,
    #"{"alg":"EdDSA","kid":null}"#,
  ])
  func `what a header says of other keys is not looked at`(_ header: String) throws {
    #expect(try verify(mint.token("{}", header: header)).facts.isEmpty)
  }

  @Test
  func `a token has three parts of base64url, without padding and blanks`() throws {
    let token = mint.token(#"{"sub":"a"}"#)
    #expect(try verify(token).facts["sub"] == "a")
    let parts = token.split(separator: ".").map(String.init)
    let faulty: [(String, JSONWebTokenRefusal)] = [
      ("", .parts), (".", .parts), ("..", .header), (parts[0], .parts),
      (parts[..<2].joined(separator: "."), .parts), (token + ".", .parts), ("." + token, .parts),
      (token + "..", .encrypted), (token + ".a.b", .encrypted), (token + ".a.b.c", .parts),
      (token + "=", .parts), (token + "==", .parts), (token + "\n", .parts), (" " + token, .parts),
      ("\(parts[0])=.\(parts[1]).\(parts[2])", .parts),
      ("\(parts[0]) .\(parts[1]).\(parts[2])", .parts),
      ("\(parts[0]).\(parts[1].prefix(4))\n\(parts[1].dropFirst(4)).\(parts[2])", .parts),
      ("\(parts[0]).\(parts[1]).\(parts[2].dropLast())%", .parts),
      ("\(parts[0]).\(parts[1]).\(parts[2].dropLast())+", .parts),
      ("\(parts[0]).\(parts[1]).", .signature),
      ("\(parts[0])..\(parts[2])", .content),
      ("\(parts[0]).\(parts[1]).\(parts[2].dropLast(2))", .signature),
      ("\(parts[0]).\(parts[1]).\u{E9}\(parts[2])", .parts),
    ]
    for (text, refusal) in faulty {
      #expect(throws: refusal, "\(text)") { try verify(text) }
    }
  }

  @Test
  func `bits after the last byte must be zero`() throws {
    // Ed25519's 64 bytes leave four such bits in the last character, which is one of A, Q, g, w.
    let token = mint.token(#"{"sub":"a"}"#)
    let next: [Character: Character] = ["A": "B", "Q": "R", "g": "h", "w": "x"]
    let last = try #require(token.last.flatMap { next[$0] })
    #expect(throws: JSONWebTokenRefusal.parts) { try verify("\(token.dropLast())\(last)") }
  }

  @Test
  func `a token of 64 KiB is taken, a longer one is not`() throws {
    let empty = mint.token(#"{"a":""}"#).utf8.count
    // Three bytes of content are four characters.
    let most = ((64 << 10) - empty) / 4 * 3
    let token = mint.token(#"{"a":"\#(String(repeating: "x", count: most))"}"#)
    #expect((65_530...65_536).contains(token.utf8.count))
    #expect(try verify(token).facts.names == ["a"])
    let long = mint.token(#"{"a":"\#(String(repeating: "x", count: most + 9))"}"#)
    #expect(throws: JSONWebTokenRefusal.tooLong) { try verify(long) }
  }

  @Test(arguments: [
    ("1700000000", 1_700_000_000_000_000), ("1.7e9", 1_700_000_000_000_000),
    ("1700000000.0", 1_700_000_000_000_000), ("1700000000.25", 1_700_000_000_250_000),
    ("17E+8", 1_700_000_000_000_000), ("0", 0), ("0.0", 0), ("-0.0", 0),
    ("253402300799", 253_402_300_799_000_000), ("253402300800", nil), ("1700000000000", nil),
    ("-1", nil), ("-0.5", nil), ("1e400", nil), ("1e-400", 0), ("99999999999999999999", nil),
    (#""1700000000""#, nil), (#""1.7e9""#, nil), ("true", nil), ("[1]", nil), ("{}", nil),
  ])
  func `a time is a number, also one with a fraction`(_ text: String, _ moment: Int64?) throws {
    let claims = try verify(mint.token(#"{"exp":\#(text)}"#))
    switch claims.moment("exp") {
    case .absent: Issue.record("it is there")
    case .malformed: #expect(moment == nil)
    case .value(let value): #expect(value.rawValue == moment)
    }
  }

  @Test
  func `a number is no text, and null is nothing`() throws {
    let claims = try verify(mint.token(#"{"a":1.5,"b":1,"c":null,"d":"1.5","e":[1],"f":["x"]}"#))
    func kind(_ name: String) -> String {
      switch claims.text(name) {
      case .absent: "absent"
      case .malformed: "malformed"
      case .value(let text): text
      }
    }
    #expect(
      ["a", "b", "c", "d", "e", "g"].map(kind) == [
        "malformed", "malformed", "absent", "1.5", "malformed", "absent",
      ])
    guard case .value(["x"]) = claims.texts("f"), case .malformed = claims.texts("e"),
      case .malformed = claims.texts("a"), case .value(["1.5"]) = claims.texts("d")
    else {
      Issue.record("a list of texts was read wrongly")
      return
    }
  }

  @Test(arguments: Mutations.seeds)
  func `damaged tokens never trap and never pass`(_ seed: UInt64) {
    let token = mint.token(#"{"sub":"a","aud":["b"],"exp":1.5}"#)
    for bytes in Mutations(of: [token], marks: ".=-_", seed: seed) {
      let text = String(decoding: bytes, as: UTF8.self)
      guard text != token else { continue }
      #expect(throws: JSONWebTokenRefusal.self) { try verify(text) }
    }
  }
}
