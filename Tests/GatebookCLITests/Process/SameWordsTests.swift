internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// What a command says of a failure and what `why` says of it are the same words.
struct SameWordsTests {
  /// A server that cannot be logged in at.
  struct Row: Sendable, CustomTestStringConvertible {
    let fault: Fault
    /// What the error calls the server, with `S` for its origin.
    var server = "S"
    var address = "http://S/"
    var line = ["http", "--url"]
    var trouble: LoopbackFault?

    var testDescription: String { fault.name }
  }

  private static let rows = [
    Row(fault: .connect, address: "http://127.0.0.1:9/"),
    Row(
      fault: .connectName, address: "http://nobody.invalid/", line: ["http", "--no-proxy", "--url"]),
    // The scene's environment names one.
    Row(
      fault: .connectProxy,
      server: "http://nobody.invalid through the proxy http://proxy.invalid:1",
      address: "http://nobody.invalid/"),
    Row(fault: .answerCut, trouble: .dropBeforeActing),
    Row(fault: .answerTime, trouble: .stallBeforeActing),
    Row(fault: .answerPage, trouble: .answer { _ in .html("<p>Agree.</p>", status: 400) }),
    Row(fault: .proofPublic, server: "the URL", trouble: .answer { _ in .text("Hello.\n") }),
    Row(
      fault: .scheme,
      trouble: .answer { _ in
        .text("Who?\n", status: 401, fields: ["WWW-Authenticate": "Negotiate"])
      }),
    Row(fault: .tlsMissing, address: "https://S/"),
    Row(
      fault: .description, line: ["oidc", "--client-id", "app", "--flow", "password", "--issuer"],
      trouble: .answer { _ in .json("[]") }),
    Row(
      fault: .endpointMissing,
      line: ["oidc", "--client-id", "app", "--flow", "password", "--issuer"],
      trouble: .answer { request in
        let issuer = "http://\(request.fields["Host"] ?? "")"
        return .json(#"{"issuer":"\#(issuer)/","jwks_uri":"\#(issuer)/keys"}"#)
      }),
    Row(
      fault: .issuer, line: ["oidc", "--client-id", "app", "--flow", "password", "--issuer"],
      trouble: .answer { _ in
        .json(
          #"{"issuer":"http://other.example","token_endpoint":"http://127.0.0.1:9/token","#
            + #""jwks_uri":"http://127.0.0.1:9/keys"}"#)
      }),
  ]

  @Test(arguments: rows)
  func `the error and why agree`(_ row: Row) throws {
    let scene = try Scene()
    let server = try LoopbackServer { _ in .text("Nothing.\n") }
    try server.start()
    defer { server.stop() }
    if let trouble = row.trouble { server.inject(trouble, on: nil, times: nil) }
    let place = "127.0.0.1:\(server.port)"
    let address = row.address.replacing("S", with: place)
    let login = try scene.start(
      ["login"] + row.line + [
        address, "--user", "ada", "--password-stdin", "--allow-cleartext", "--timeout", "2",
      ], ChildProcess.Streams(input: "x\n")
    ).end()
    #expect(login.exit != 0)
    let origin = String(address.dropLast())
    let sentence = row.fault.sentence(of: row.server.replacing("S", with: origin))
    #expect(login.errors.contains(sentence), "\(login.errors)")
    let why = try scene.run("why")
    #expect(why.output.contains(try #require(row.fault.meaning())), "\(why.output)")
  }
}
