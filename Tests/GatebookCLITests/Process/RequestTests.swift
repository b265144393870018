internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

struct RequestTests {
  private let command = #"[{"/user/get-current-user":{}}]"#

  @Test func `the body goes to standard output as it is`() throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    let ending = try scene.run(
      "request", "-H", "Content-Type: application/json", "-d", command,
      scene.portal.url + "/api/jsonws/invoke")
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output.contains(#""screenName":"ada""#))
    #expect(ending.errors.isEmpty)
    let received = try #require(scene.portal.requests(to: .invoke).last)
    #expect(received.request.method == "POST")
    #expect(received.userID == FakePortalUser.ada.userID)
  }

  @Test func `a body comes from a file or from standard input`() throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    let file = "\(scene.folder)/body"
    try TextFile.write(Array(command.utf8), to: file)
    for (argument, input) in [("@\(file)", ""), ("@-", command)] {
      let ending = try scene.run(
        "request", "-H", "Content-Type: application/json", "-d", argument,
        scene.portal.url + "/api/jsonws/invoke", input: input)
      #expect(ending.output.contains(#""screenName":"ada""#), "\(ending.errors)")
    }
  }

  @Test func `a status of 400 and more is 0, and 1 with --fail`() throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    let url = scene.portal.url + "/nothing/here"
    let plain = try scene.run("request", url)
    #expect(plain.exit == 0)
    #expect(plain.errors.contains("404"))
    #expect(try scene.run("request", "--fail", url).exit == 1)
  }

  @Test(arguments: [
    ("https://other.example:8443/a?token=secret", "https://other.example:8443"),
    ("//other.example/a?token=secret", "http://other.example"),
    ("https://own.example/", "https://own.example"),
    ("https://ada:secret@other.example/", "an address that is none of the web"),
    ("app.example:/secret", "an address that is none of the web"),
    ("/a", nil), ("?b", nil), ("http://OWN.example:80/a", nil),
  ])
  func `a redirect names another server and nothing more`(
    _ location: String, _ named: String?
  ) throws {
    let url = try #require(HTTPURL("http://own.example/x"))
    let reply = HTTPReply(status: 307, fields: [HTTPField("location", location)])
    #expect(
      UnfollowedRedirect(reply, to: .get(url))?.text
        == named.map { "The server redirects (307) to \($0): that was not followed." })
    #expect(UnfollowedRedirect(HTTPReply(status: 201, fields: reply.fields), to: .get(url)) == nil)
    #expect(
      UnfollowedRedirect(reply, to: HTTPRequest("POST", url))?.text
        == (named.map { "The server redirects (307) to \($0): that was not followed." }
          ?? "The server redirects (307) within itself: of a POST that was not followed."))
  }

  @Test func `a server that says nothing is waited for as long as was said`() throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    scene.portal.inject(.stallBeforeActing, on: .documents, times: nil)
    let ending = try scene.run("request", "--timeout", "1", scene.portal.url + "/documents/one")
    #expect(ending.exit == 4, "\(ending.errors)")
    #expect(ending.errors.contains("The session is kept."), "\(ending.errors)")
  }

  @Test func `a redirect of a request with effects is reported, not followed`() throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    scene.portal.inject(.redirect(to: "/other"), on: .documents, times: nil)
    let ending = try scene.run(
      "request", "-X", "POST", "-d", "x", scene.portal.url + "/documents/one")
    #expect(ending.exit == 0)
    #expect(
      ending.errors
        == "The server redirects (302) within itself: of a POST that was not followed.\n")
  }

  @Test func `a redirect to another server is reported, not followed`() throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    scene.portal.inject(
      .redirect(to: "https://other.example/a?token=secret"), on: .documents, times: nil)
    let ending = try scene.run("request", "--fail", scene.portal.url + "/documents/one")
    #expect(ending.exit == 0)
    #expect(
      ending.errors
        == "The server redirects (302) to https://other.example: that was not followed.\n")
  }

  @Test(arguments: [
    ["-H", "no colon"], ["-H", "Bad Name: x"], ["-H", "A: b\r\nC: d"],
    ["-H", "Authorization: Basic eA=="], ["-H", "cookie: a=b"], ["-X", "GE T"],
    ["-X", "TRACE"], ["-X", "track"],
    ["http://user:hunter2@127.0.0.1/"], ["ftp://127.0.0.1/"], ["not a url"],
  ])
  func `what is no request is 2 and sends nothing`(_ line: [String]) throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    scene.portal.forgetRequests()
    let url = line.count == 1 ? [] : [scene.portal.url + "/"]
    let ending = try scene.start(["request"] + line + url).end()
    #expect(ending.exit == 2)
    #expect(!ending.errors.contains("hunter2"))
    #expect(scene.portal.requests.isEmpty)
  }
}
