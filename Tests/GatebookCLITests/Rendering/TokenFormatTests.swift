internal import Gatebook
internal import Testing

@testable internal import GatebookCLI

/// What each format writes, and what it refuses to write.
struct TokenFormatTests {
  private static let expiry = Timestamp(rawValue: 1_795_000_000_999_999)
  private static let token = PrintedToken(
    value: "a.B-1_~+/=", scope: "read write", expiresAt: expiry, user: "žofie@a.example",
    host: "a.example")

  /// The parts of a token as AWS reads them.
  private static func jwt(_ header: String, _ claims: String, _ signature: String = "sig") -> String
  {
    [header, claims, signature].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
  }

  private static let signed = jwt(
    #"{"alg":"RS256"}"#, #"{"iss":"https://a.example","sub":"1","aud":["b"],"exp":1}"#)

  @Test(arguments: [
    ("plain", "a.B-1_~+/="),
    ("header", "Authorization: Bearer a.B-1_~+/="),
    ("netrc", "machine a.example login žofie@a.example password a.B-1_~+/="),
    ("curl", #"header = "Authorization: Bearer a.B-1_~+/=""#),
    (
      "json",
      #"{"token":"a.B-1_~+/=","scope":"read write","expiresAt":"2026-11-18T11:06:40.999999Z"}"#
    ),
    (
      "xoauth2",
      Base64.encode(Array("user=žofie@a.example\u{1}auth=Bearer a.B-1_~+/=\u{1}\u{1}".utf8))
    ),
    (
      "exec-credential",
      #"{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":"#
        + #"{"expirationTimestamp":"2026-11-18T11:06:40Z","token":"a.B-1_~+/="}}"#
    ),
    (
      "bazel",
      #"{"headers":{"Authorization":["Bearer a.B-1_~+/="]},"expires":"2026-11-18T11:06:40Z"}"#
    ),
  ])
  func `a format writes the token for its program`(_ name: String, _ text: String) throws {
    #expect(try Self.format(name).text(Self.token) == text)
  }

  @Test func `the vector that Google publishes for XOAUTH2 is met`() throws {
    let token = PrintedToken(
      value: "ya29.vF9dft4qmTc2Nvb3RlckBhdHRhdmlzdGEuY29tCg", user: "someuser@example.com")
    #expect(
      try TokenFormat.xoauth2.text(token)
        == "dXNlcj1zb21ldXNlckBleGFtcGxlLmNvbQFhdXRoPUJlYXJlciB5YTI5LnZGOWRmdDRxbVRjMk52YjNSbGNr"
        + "QmhkSFJoZG1semRHRXVZMjl0Q2cBAQ==")
  }

  @Test func `a token without an end is written without one`() throws {
    let token = PrintedToken(value: "t")
    #expect(try TokenFormat.json.text(token) == #"{"token":"t","scope":""}"#)
    #expect(
      try TokenFormat.execCredential.text(token)
        == #"{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","#
        + #""status":{"token":"t"}}"#)
    #expect(try TokenFormat.bazel.text(token) == #"{"headers":{"Authorization":["Bearer t"]}}"#)
  }

  @Test func `an end that four digits of a year cannot tell is left out`() throws {
    let token = PrintedToken(value: "t", expiresAt: Timestamp(rawValue: .max))
    #expect(!(try TokenFormat.bazel.text(token)).contains("expires"))
    #expect(!(try TokenFormat.execCredential.text(token)).contains("expirationTimestamp"))
  }

  @Test func `quotes and backslashes of a token are escaped`() throws {
    let token = PrintedToken(value: #"a"b\c'"#)
    #expect(
      try TokenFormat.curl.text(token) == #"header = "Authorization: Bearer a\"b\\c'""#)
    #expect(
      try TokenFormat.bazel.text(token) == #"{"headers":{"Authorization":["Bearer a\"b\\c'"]}}"#)
  }

  @Test(arguments: [
    "", "a b", "a\nb", "a\r\nX-Evil: 1", "a\tb", "a\u{0}", "a\u{7f}", "é", "a\u{1}",
  ])
  func `a token that no header field can carry is refused`(_ value: String) throws {
    for name in ["header", "curl", "xoauth2", "exec-credential", "bazel"] {
      try expectRefusal(name, PrintedToken(value: value, user: "u", host: "h"), "token")
    }
  }

  @Test(arguments: ["plain", "json"])
  func `every token is carried by the formats that can`(_ name: String) throws {
    let text = try Self.format(name).text(PrintedToken(value: "a b\n\"é"))
    #expect(text == (name == "plain" ? "a b\n\"é" : #"{"token":"a b\n\"é","scope":""}"#))
  }

  @Test(arguments: [
    "", "a b", "a\u{a0}b", "a\nmachine evil", "a\tb", "a\"b", "a'b", "a\\b", "#a", "a\u{0}b",
    "a\u{85}b",
  ])
  func `what a word of a netrc file cannot be is refused`(_ value: String) throws {
    let tokens = [
      (PrintedToken(value: value, user: "u", host: "h"), "token"),
      (PrintedToken(value: "t", user: value, host: "h"), "user name"),
      (PrintedToken(value: "t", user: "u", host: value), "host"),
    ]
    for (token, part) in tokens { try expectRefusal("netrc", token, part) }
  }

  @Test(arguments: ["", "a\u{1}auth=Bearer x", "a\nb", "a\u{0}", "a\u{7f}"])
  func `a user name that would end early in XOAUTH2 is refused`(_ user: String) throws {
    try expectRefusal("xoauth2", PrintedToken(value: "t", user: user), "user name")
  }

  @Test func `blanks and quotes of a user name stay in XOAUTH2`() throws {
    let token = PrintedToken(value: "t", user: #"O'Hara "Z"@a.example"#)
    let bytes = try #require(Base64.decode(try TokenFormat.xoauth2.text(token)))
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "user=O'Hara \"Z\"@a.example\u{1}auth=Bearer t\u{1}\u{1}")
  }

  @Test func `AWS gets a signed JWT as it is, without a line end`() throws {
    #expect(try TokenFormat.awsWebIdentity.text(PrintedToken(value: Self.signed)) == Self.signed)
    #expect(!TokenFormat.awsWebIdentity.endsLine)
  }

  @Test(arguments: [
    ("opaque", "not a signed"), ("a.b", "not a signed"), ("", "not a signed"),
    (signed + ".x.y", "not a signed"), (signed + "\n", "not a signed"), ("..", "not a signed"),
    (jwt(#"{"alg":"none"}"#, "{}", ""), "not a signed"), (jwt("[]", "{}"), "not a signed"),
    (jwt("{}", "{}"), "not a signed"), (jwt(#"{"alg":"RS256"}"#, "1"), "not a signed"),
    (jwt(#"{"alg":"RS256"}"#, #"{"iss":"a","sub":"1","exp":1}"#), "without `aud`."),
    (
      jwt(#"{"alg":"RS256"}"#, #"{"iss":"a","aud":"b","sub":null}"#), "without `sub`, `exp`."
    ),
  ])
  func `what AWS would refuse is refused here`(_ value: String, _ reason: String) throws {
    do {
      _ = try TokenFormat.awsWebIdentity.text(PrintedToken(value: value))
      Issue.record("it was printed")
    } catch {
      #expect(error.code == .configurationInvalid)
      #expect(error.message.contains(reason), "\(error)")
      #expect(value.isEmpty || !error.description.contains(value), "\(error)")
    }
  }

  @Test func `the formats have names of their own`() {
    let names = TokenFormat.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names.first == "plain")
  }

  private static func format(_ name: String) throws -> TokenFormat {
    try #require(TokenFormat.all.first { $0.name == name })
  }

  private func expectRefusal(_ name: String, _ token: PrintedToken, _ part: String) throws {
    let format = try Self.format(name)
    do {
      let text = try format.text(token)
      Issue.record("\(name) wrote \(text)")
    } catch {
      #expect(error.code == .configurationInvalid)
      #expect(error.message.contains("the \(part)") || error.message.contains("The \(part)"))
    }
  }
}
