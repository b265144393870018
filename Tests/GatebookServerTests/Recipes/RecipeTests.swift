internal import Foundation
internal import Testing

/// The recipes of `Helpers.md`, each followed to the letter with the program that it is for.
@Suite(.enabled(if: TestServers.areRunning, TestServers.reason))
struct RecipeTests {
  private let servers: BearerServer
  private let kitchen: Kitchen

  init() throws {
    servers = try .shared()
    kitchen = try Kitchen(.shared(), servers)
  }

  @Test func curl() throws {
    let blocks = try Recipe("curl", on: servers).blocks
    try #require(blocks.count == 3)
    for block in blocks { try expectAlice(kitchen.run(block)) }
  }

  @Test func `curl fails if there is no token`() throws {
    #expect(try kitchen.tool.run(["logout", "work"]).status == 0)
    for block in try Recipe("curl", on: servers).blocks {
      let ending = try kitchen.run(block)
      #expect(ending.status != 0)
      #expect(!ending.output.contains("alice"))
    }
  }

  @Test func python() throws {
    let program = try #require(try Recipe("Python", on: servers).blocks.first)
    try kitchen.write(program, to: "me.py")
    try expectAlice(kitchen.run("python3 me.py"))
  }

  @Test func javaScript() throws {
    let program = try #require(try Recipe("JavaScript", on: servers).blocks.first)
    try kitchen.write(program, to: "me.mjs")
    try expectAlice(kitchen.run("node me.mjs"))
  }

  @Test func go() throws {
    let program = try #require(try Recipe("Go", on: servers).blocks.first)
    try kitchen.write(program, to: "me.go")
    try expectAlice(kitchen.run("gccgo -o me me.go\n./me"))
  }

  @Test func rclone() throws {
    let blocks = try Recipe("rclone", on: servers).blocks
    let name = "\(UUID().uuidString).txt"
    try kitchen.write(blocks[0], to: "config/rclone/rclone.conf")
    try kitchen.write("a note\n", to: name)
    let ending = try kitchen.run(blocks[1].replacing("notes.txt", with: name))
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(try uploaded(name) == "a note\n")
  }

  @Test func `rclone asks again when the server refuses the token`() throws {
    let blocks = try Recipe("rclone", on: servers).blocks
    let name = "\(UUID().uuidString).txt"
    let once =
      "#!/bin/sh\nif [ -e asked ]; then exec gatebook token work; fi\n: > asked\necho old\n"
    try kitchen.write(once, to: "once", mode: 0o700)
    let asking = blocks[0].replacing(
      "gatebook token work", with: "\(kitchen.tool.home)/once")
    try #require(asking != blocks[0])
    try kitchen.write(asking, to: "config/rclone/rclone.conf")
    try kitchen.write("a note\n", to: name)
    let ending = try kitchen.run(blocks[1].replacing("notes.txt", with: name))
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(try uploaded(name) == "a note\n")
  }

  @Test(arguments: ["xoauth2", "oauthbearer"])
  func msmtp(_ mechanism: String) throws {
    let blocks = try Recipe("msmtp", on: servers).blocks
    let settings = blocks[0].replacing("auth xoauth2", with: "auth \(mechanism)")
    // It has no variable for what it trusts.
    try kitchen.write(settings + "tls_trust_file \(servers.certificate)\n", to: ".msmtprc")
    try kitchen.write("Subject: by \(mechanism)\n\nThe body.\n", to: "message.txt")
    let ending = try kitchen.run(blocks[1])
    #expect(ending.status == 0, "\(ending.errors)")
    let mail = try String(contentsOfFile: servers.folder + "/mail/alice", encoding: .utf8)
    #expect(mail.contains("Subject: by \(mechanism)\n"), "\(mail)")
    let log = try String(contentsOfFile: servers.folder + "/log", encoding: .utf8)
    #expect(log.contains("SMTP \(mechanism.uppercased()) alice"), "\(log)")
  }

  @Test func `a mail server refuses the token for another address`() throws {
    let blocks = try Recipe("msmtp", on: servers).blocks
    let settings = blocks[0].replacing("user alice@", with: "user bob@")
    try kitchen.write(settings + "tls_trust_file \(servers.certificate)\n", to: ".msmtprc")
    try kitchen.write("Subject: a\n\nThe body.\n", to: "message.txt")
    let ending = try kitchen.run(blocks[1])
    #expect(ending.status != 0)
    #expect(ending.errors.contains("535 5.7.8 refused"), "\(ending.errors)")
  }

  @Test func isync() throws {
    let blocks = try Recipe("isync", on: servers).blocks
    try kitchen.write(blocks[0], to: ".mbsyncrc")
    let ending = try kitchen.run(blocks[1] + "cat Mail/*/*\n")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.output.contains("Subject: Hello\n"), "\(ending.output)")
  }

  @Test func `the format xoauth2 is what a mail server takes`() throws {
    let script = """
      import base64, imaplib, sys
      mail = imaplib.IMAP4_SSL("localhost", \(try servers.port("imap")))
      mail.authenticate("XOAUTH2", lambda _: base64.b64decode(sys.stdin.read()))
      print(mail.select("INBOX"))
      """
    try kitchen.write(script, to: "mail.py")
    let command = "gatebook token work --format xoauth2 --user alice@example.com | python3 mail.py"
    let ending = try kitchen.run(command)
    #expect(ending.output == "('OK', [b'1'])\n", "\(ending.errors)")
    let other = try kitchen.run(command.replacing("alice@", with: "bob@"))
    #expect(other.errors.contains("AUTHENTICATIONFAILED"), "\(other.errors)")
  }

  /// STS checks the token's signature with the key that the authorization server publishes.
  @Test func aws() throws {
    let authority = try OAuth2Server.own(["ACCESS_TOKENS": "jwt"])
    let own = try BearerServer(for: authority)
    let kitchen = try Kitchen(authority, own)
    let blocks = try Recipe("AWS", on: own).blocks
    try kitchen.write(blocks[0], to: ".aws/config")
    // AWS's own names lead to the server through a proxy.
    let proxy = ["HTTPS_PROXY": "http://127.0.0.1:\(try own.port("proxy"))"]
    let ending = try kitchen.run(blocks[1], proxy)
    #expect(ending.status == 0, "\(ending.errors)")
    let identity = try JSONObject(ending.output)
    #expect(identity["Arn"]?.text == "arn:aws:sts::123456789012:assumed-role/reader/alice")
    // A line end after the token would belong to it. The program keeps what it was given before.
    let plain = blocks[1].replacing("aws-web-identity", with: "plain")
    let refused = try kitchen.run("rm -r .aws/cli\n" + plain, proxy)
    #expect(refused.status != 0 && refused.errors.contains("InvalidIdentityToken"))
  }

  @Test func `a token that AWS would refuse does not reach it`() throws {
    let blocks = try Recipe("AWS", on: servers).blocks
    try kitchen.write(blocks[0], to: ".aws/config")
    let ending = try kitchen.run(
      blocks[1], ["HTTPS_PROXY": "http://127.0.0.1:\(try servers.port("proxy"))"])
    #expect(ending.status != 0)
    #expect(ending.errors.contains("The access token is not a signed JSON Web Token"))
  }

  /// This asks as Bazel 7 does: with `get` as argument, and `{"uri":...}` on standard input.
  ///
  /// Debian's Bazel is 4.2, which has no credential helpers.
  @Test func bazel() throws {
    let blocks = try Recipe("Bazel", on: servers).blocks
    #expect(blocks[0].contains("--credential_helper=localhost=%workspace%/tools/credential-helper"))
    try kitchen.write(blocks[1], to: "tools/credential-helper", mode: 0o700)
    let page = "https://localhost:\(try servers.port("web"))/me"
    let ending = try kitchen.run("tools/credential-helper get", input: #"{"uri":"\#(page)"}"#)
    #expect(ending.status == 0, "\(ending.errors)")
    let answer = try JSONObject(ending.output)
    let fields = try #require(answer["headers"]?.object?["Authorization"]?.texts)
    #expect(fields.count == 1)
    let expires = try #require(answer["expires"]?.text)
    #expect(try #require(try? Date(expires, strategy: .iso8601)) > .now)
    try expectAlice(
      kitchen.run("curl --fail --header @- \(page)", input: "Authorization: \(fields[0])\n"))
  }

  private func uploaded(_ name: String) throws -> String {
    try String(contentsOfFile: "\(servers.folder)/files/\(name)", encoding: .utf8)
  }

  private func expectAlice(_ ending: ChildProcess) throws {
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(try JSONObject(ending.output)["user"]?.text == "alice")
  }
}
