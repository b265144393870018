internal import Foundation
internal import Testing

/// Servers that ask who the client is before a password is spoken of.
@Suite(.enabled(if: TestServers.areRunning, TestServers.reason))
struct ClientCertificateTests {
  private let gatebook: GatebookTool
  private let apache: ApacheServer
  /// In the URLs of one test alone.
  private let mark = UUID().uuidString

  init() throws {
    gatebook = try GatebookTool()
    apache = try .shared()
  }

  private func login(_ listener: ApacheServer.Listener, _ more: [String] = []) throws -> [String] {
    [
      "login", "http", "--url", try apache.base(listener) + "/basic/?\(mark)", "--user", "alice",
      "--password-stdin", "--ca-file", apache.certificates.authority,
    ] + more
  }

  private var known: [String] {
    ["--client-cert", apache.certificates.client, "--client-key", apache.certificates.clientKey]
  }

  private var rogue: [String] {
    let files = apache.certificates
    return ["--client-cert", files.rogueClient, "--client-key", files.rogueClientKey]
  }

  @Test func `a handshake without a certificate fails with a reason of its own`() throws {
    let (status, error) = try gatebook.failure(
      login(.clientRequired), answers: ["alice-pass-1"])
    #expect(status == 8)
    #expect(error["code"]?.text == "tls.untrusted")
    #expect(error["message"]?.text?.contains("asks for a client certificate") == true)
    let failure = try #require(try gatebook.facts(of: "login.failed").last)
    #expect(failure["error"]?.text == "certificate_required")
    #expect(try apache.requests(with: mark).isEmpty)
  }

  @Test(arguments: [ApacheServer.Listener.good, .clientRequired])
  func `an untrusted certificate is refused`(
    _ listener: ApacheServer.Listener
  ) throws {
    let (status, error) = try gatebook.failure(
      login(listener, rogue), answers: ["alice-pass-1"])
    #expect(status == 8)
    #expect(error["code"]?.text == "tls.untrusted")
    #expect(error["message"]?.text?.contains("refused the client certificate") == true)
    #expect(try apache.requests(with: mark).isEmpty)
    #expect(try gatebook.lines(["accounts"]).isEmpty)
  }

  @Test func `a key of another certificate is reported before anything is sent`() throws {
    let files = apache.certificates
    let (status, error) = try gatebook.failure(
      login(
        .clientRequired, ["--client-cert", files.client, "--client-key", files.rogueClientKey]),
      answers: ["alice-pass-1"])
    #expect(status == 1)
    #expect(error["code"]?.text == "configuration.invalid")
    #expect(try apache.requests(with: mark).isEmpty)
  }

  @Test func `the right certificate is shown, also after a restart`() throws {
    _ = try gatebook.object(login(.clientRequired, known), answers: ["alice-pass-1"])
    let list = try gatebook.lines(["trust", "list"])
    #expect(list.map { $0["type"]?.text } == ["authorities", "client"])
    #expect(list.last?["file"]?.text == apache.certificates.client)
    let reply = try gatebook.run(["request", try apache.base(.clientRequired) + "/basic/"])
    #expect(reply.output == "secret of basic\n", "\(reply.errors)")
  }

  @Test func `one path may ask for more than another`() throws {
    _ = try gatebook.object(login(.good), answers: ["alice-pass-1"])
    let without = try gatebook.run(["request", "--fail", try apache.certificateURL])
    #expect(without.status == 1)
    #expect(without.errors.contains("403"))
    #expect(try gatebook.object(["whoami"])["state"]?.text == "active")
    _ = try gatebook.object(login(.good, known), answers: ["alice-pass-1"])
    let with = try gatebook.run(["request", "--fail", try apache.certificateURL])
    #expect(with.output == "secret of cert\n", "\(with.errors)")
  }
}
