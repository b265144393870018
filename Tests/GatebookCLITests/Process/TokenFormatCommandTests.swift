internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// `gatebook token --format`, as programs call it.
struct TokenFormatCommandTests {
  private let scene: Scene
  private let user = FakePortalUser.ada.emailAddress
  private let token: String

  init() throws {
    scene = try Scene()
    try scene.logInForTokens()
    token = String(try scene.liveToken().dropLast())
  }

  @Test func `each format prints the token that is valid`() throws {
    let host = "127.0.0.1"
    let base64 = Base64.encode(Array("user=\(user)\u{1}auth=Bearer \(token)\u{1}\u{1}".utf8))
    let expected = [
      "plain": token, "header": "Authorization: Bearer \(token)",
      "netrc": "machine \(host) login \(user) password \(token)",
      "curl": "header = \"Authorization: Bearer \(token)\"", "xoauth2": base64,
    ]
    for (format, text) in expected {
      let ending = try scene.run("token", "--format", format)
      #expect(ending.output == text + "\n", "\(format): \(ending.errors)")
      #expect(ending.exit == 0 && ending.errors.isEmpty)
    }
    #expect(try scene.run("token").output == token + "\n")
    let json = { (words: [String]) in try scene.start(["token"] + words).end().output }
    let printed = try json(["--json"])
    #expect(printed.contains(#""token":"\#(token)""#))
    #expect(try json(["--format", "json"]) == printed)
    #expect(try json(["--format=json", "--json"]) == printed)
    let end = try #require(printed.firstMatch(of: /"expiresAt":"[^"]+"/))
    #expect(try scene.run("whoami", "--json").output.contains(end.output))
    for (format, member) in [("exec-credential", "expirationTimestamp"), ("bazel", "expires")] {
      let output = try scene.run("token", "--format", format).output
      let value = try #require(JSONDocument.read(Array(output.utf8))?.object, "\(output)")
      let part = format == "bazel" ? value : try #require(value["status"]?.object)
      #expect(part[member]?.text?.contains(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) == true)
      #expect(output.contains(token))
    }
    #expect(scene.refreshCount == 0)
  }

  @Test func `an expired token is renewed before it is printed`() throws {
    try scene.expire()
    let output = try scene.run("token", "--format", "header").output
    #expect(output == "Authorization: Bearer \(try scene.liveToken())")
    #expect(!output.contains(token))
  }

  @Test func `the user and the host are those that are given`() throws {
    let netrc = try scene.run(
      "token", "--format", "netrc", "--user", "žofie", "--host", "api.example")
    #expect(netrc.output == "machine api.example login žofie password \(token)\n")
    #expect(
      netrc.errors.contains("api.example is not a server of this account."), "\(netrc.errors)")
    let own = try scene.run("token", "--format", "netrc", "--host", "127.0.0.1")
    #expect(own.exit == 0 && own.errors.isEmpty, "\(own.errors)")
    let mail = try scene.run("token", "--format", "xoauth2", "--user", "a b@c.example").output
    let bytes = try #require(Base64.decode(String(mail.dropLast())))
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "user=a b@c.example\u{1}auth=Bearer \(token)\u{1}\u{1}")
    #expect(
      try scene.run("token", "--format", "netrc", "--host", "2001:db8::1").output
        .hasPrefix("machine 2001:db8::1 login "))
  }

  @Test(arguments: [
    (["--format", "netrc", "--user", "a b"], "The user name cannot be written"),
    (["--format", "xoauth2", "--user", "a\u{1}b"], "The user name cannot be written"),
    (["--format", "xoauth2", "--user="], "needs the user name"),
    (["--format", "aws-web-identity"], "is not a signed JSON Web Token (JWT)."),
  ])
  func `what a format cannot carry is refused, and nothing is printed`(
    _ options: [String], _ words: String
  ) throws {
    let ending = try scene.start(["token"] + options).end()
    #expect(ending.exit == 1)
    #expect(ending.output.isEmpty)
    let text = ending.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains(words), "\(text)")
    #expect(!ending.errors.contains(token))
  }

  @Test(arguments: [
    (["--format", "yaml"], "It accepts `plain`, `header`, `netrc`, `curl`, `json`, `xoauth2`,"),
    (["--format", "netr"], "Did you mean `netrc`?"),
    (["--format", "plain", "--json"], "cannot be combined"),
    (["--user", "ada"], "add `--format netrc` or `--format xoauth2`"),
    (["--format", "xoauth2", "--host", "a.example"], "add `--format netrc`"),
    (["--format", "netrc", "--host", "a.example:80"], "is not the name of a host"),
    (["--format", "netrc", "--host", "a b"], "is not the name of a host"),
    (["--format", "netrc", "--host", "a.example/"], "is not the name of a host"),
  ])
  func `options that do not fit are a usage error`(_ options: [String], _ words: String) throws {
    let ending = try scene.start(["token"] + options).end()
    #expect(ending.exit == 2)
    #expect(ending.output.isEmpty)
    let text = ending.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains(words), "\(text)")
  }

  @Test func `AWS gets the token of a server that signs it, without a line end`() throws {
    let parts = [
      #"{"alg":"RS256"}"#, #"{"iss":"https://a.example","sub":"1","aud":"b","exp":1795000000}"#,
      "s",
    ]
    let jwt = parts.map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
    scene.portal.inject(
      .alter { _ in
        .json(#"{"access_token":"\#(jwt)","token_type":"Bearer","expires_in":600}"#)
      }, on: .token)
    #expect(try scene.run("refresh").exit == 0)
    let ending = try scene.run("token", "--format", "aws-web-identity")
    #expect(ending.output == jwt, "\(ending.errors)")
  }
}
