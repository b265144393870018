internal import Gatebook
internal import GatebookAuthentication
internal import GatebookEvents
internal import GatebookProxy
internal import GatebookStore
internal import GatebookSystem

/// How long the parsers of what strangers send take for large texts of shapes that slow parsers
/// down.
struct ParseBench {
  /// The bytes of a text.
  let size: Int

  /// What is repeated until the text has its size.
  private static let units = [
    "[", "{\"a\":", "\"", "\\", "\\u00e9", "[1,", "{\"a\":1,", "a", " ", "\t", ",", ", ", "=", "a=",
    "a=b&", "a=\"b\", ", "a=\"\\\"", "Basic ", "Basic realm=\"a\", ", "<", "<a ", "%", "%41", "+",
    ";",
    "a=b; ", "/", "../", "//", ":", "@", "?a=b", "#", "9", "-", ".", "9.", "AAAA", "A.A.", "\r\n",
    "a: b\r\n", "a: b\n", "1\r\na\r\n", "0", "f", "\u{e9}", "e\u{301}", "\u{1F600}", "\u{0}", "\n",
    "— a ",
  ]

  private typealias Parser = @Sendable (_ bytes: [UInt8], _ text: String) -> Void

  /// The parsers of the library, by their names.
  private static let parsers: [(name: String, run: Parser)] = [
    ("json", { bytes, _ in _ = JSONDocument.read(bytes, maximumSize: .max) }),
    ("record", { bytes, _ in _ = Facts(decoding: bytes) }),
    ("url", { _, text in _ = HTTPURL("https://" + text) }),
    ("path", { _, text in _ = HTTPURL("https://a.example/" + text) }),
    ("issuer", { _, text in _ = Issuer("https://" + text) }),
    ("form", { bytes, _ in _ = FormFields(decoding: bytes) }),
    ("oauth1-form", { bytes, _ in _ = OAuth1Parameter.decode(bytes) }),
    ("percent-encoding", { _, text in _ = PercentEncoding.decoded(text) }),
    ("date", { _, text in _ = HTTPDate.parse(text, at: Timestamp(rawValue: 0)) }),
    ("challenges", { _, text in _ = ChallengeList.parse([text]) }),
    ("bearer-challenge", { _, text in _ = ChallengeList.parse(["Bearer " + text]) }),
    ("authentication-info", { _, text in _ = AuthenticationInfo([text]) }),
    ("cookie", { _, text in receive("a=b; " + text) }),
    ("cookie-name", { _, text in receive(text) }),
    ("base64", { _, text in _ = Base64.decode(text) }),
    ("base64url", { _, text in _ = Base64URL.decode(text) }),
    ("hex", { bytes, _ in _ = Hex.decode(bytes) }),
    ("token", { _, text in _ = try? UnverifiedToken(text) }),
    ("keys", { bytes, _ in _ = try? JSONWebKeySet(document: bytes) }),
    ("private-key", { _, text in _ = try? JWSKey(pem: Secret(text)) }),
    ("portal-page", { bytes, _ in _ = LiferayToken.find(in: bytes) }),
    ("redirect", { _, text in _ = ArrivedRedirect(text) }),
    ("offers", { bytes, _ in _ = ServerOffers(bytes) }),
    ("request-head", { bytes, _ in _ = try? RequestHead(bytes[...]) }),
    ("request-field", { bytes, _ in _ = try? RequestHead(Self.line + bytes) }),
    ("chunks", { bytes, _ in take(bytes) }),
    ("proof", { _, text in _ = try? InclusionProof(text: text) }),
    ("proof-lines", { _, text in _ = try? InclusionProof(text: Self.proof + text) }),
  ]

  private static let line = ArraySlice("GET / HTTP/1.1\r\nHost: a\r\nX: ".utf8)
  private static let proof = "c2sp.org/tlog-proof@v1\nextra AA==\nindex 1\n"

  private static func receive(_ cookie: String) {
    guard let url = HTTPURL("https://a.example/") else { return }
    var jar = CookieJar()
    let reply = HTTPReply(status: 200, fields: [HTTPField("Set-Cookie", cookie)], body: [])
    _ = jar.receive(reply, from: url, at: Timestamp(rawValue: 0), suffixes: nil)
  }

  private static func take(_ bytes: [UInt8]) {
    var (reader, body) = (ChunkReader(), [UInt8]())
    _ = try? reader.take(bytes[...], into: &body)
  }

  /// Prints the longest time of each parser, and the sum of all times.
  func run() {
    var total = Duration.zero
    var slowest = [Duration](repeating: .zero, count: Self.parsers.count)
    for unit in Self.units {
      let unit = Array(unit.utf8)
      let bytes = (0..<size).map { unit[$0 % unit.count] }
      let text = String(decoding: bytes, as: UTF8.self)
      for (index, parser) in Self.parsers.enumerated() {
        let begun = ContinuousClock.now
        parser.run(bytes, text)
        let spent = ContinuousClock.now - begun
        total += spent
        slowest[index] = max(slowest[index], spent)
      }
    }
    let names = zip(Self.parsers, slowest).map { "\($0.name)=\($1.microseconds)" }
    print(
      "totalus=\(total.microseconds) worstus=\(slowest.max()?.microseconds ?? 0)",
      names.joined(separator: " "))
  }
}
