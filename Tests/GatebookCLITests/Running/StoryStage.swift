internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// A home with a book, and the server that one mode logs in to.
struct StoryStage {
  let mode: StoryMode
  let scene: Scene
  /// Where the server is, without a slash at the end.
  let url: String
  /// Lets the server answer again.
  let start: () throws -> Void
  /// Takes the server away.
  let stop: () -> Void
  private let signed: LoopbackServer?

  /// Starts the server.
  init(_ mode: StoryMode) throws {
    self.mode = mode
    let scene = try Scene()
    self.scene = scene
    switch mode {
    case .liferayBasic, .liferayCookie, .liferayOAuth, .liferayRedirect, .liferayPassword:
      (url, signed) = (scene.portal.url, nil)
      (start, stop) = ({ try scene.portal.start() }, { scene.portal.stop() })
    case .httpDigest:
      scene.portal.switches.front = FakePortalFront(
        name: PlainServer.user, password: PlainServer.password, schemes: [.sha256])
      (url, signed) = (scene.portal.url, nil)
      (start, stop) = ({ try scene.portal.start() }, { scene.portal.stop() })
    case .httpBasic, .form, .formSaved:
      let server = try PlainServer.start()
      (url, signed) = (server.url, nil)
      (start, stop) = ({ try server.start() }, { server.stop() })
    case .oauth1:
      let server = try SignedPage.start()
      (url, signed) = (server.url, server)
      (start, stop) = ({ try server.start() }, { server.stop() })
    case .oauth2, .oidc:
      let server = try FakeIdentityServer()
      try server.start()
      (url, signed) = (server.url, nil)
      (start, stop) = ({ try server.start() }, { server.stop() })
    case .mobileFirst:
      let server = try FakeMobileFirstServer.sample()
      try server.start()
      (url, signed) = (server.url, nil)
      (start, stop) = ({ try server.start() }, { server.stop() })
    case .fcsdk:
      let server = try FakeGateway()
      try server.start()
      (url, signed) = (server.url, nil)
      (start, stop) = ({ try server.start() }, { server.stop() })
    }
  }

  /// Logs in, with a scripted person in front of the browser where the mode has a page.
  func logIn() async throws -> ChildProcess.Ending {
    let child = try scene.start(line(), ChildProcess.Streams(input: input))
    guard mode.opensPage else { return child.end() }
    try await visit(try child.page())
    return child.end()
  }

  /// Does what the person does on the page of a login.
  func visit(_ page: String) async throws {
    if let signed {
      let callback = try #require(SignedPage.callback(signed))
      _ = try await PortalVisitor(.ada).visit(
        callback + "?oauth_token=temporary&oauth_verifier=verifier")
    } else {
      if mode == .liferayRedirect { try scene.registerRedirect(of: page) }
      _ = try await scene.redirect(of: page)
    }
  }

  /// The line of a logout that leaves nothing that logs in again.
  var logout: [String] { ["logout"] + (mode == .formSaved ? ["--forget"] : []) }

  /// Sends a request that only the account may send.
  func request() throws -> ChildProcess.Ending {
    try scene.start(["request"] + resource).end()
  }

  /// The kinds of all events, in the order of the log.
  func kinds() throws -> [String] {
    let log = try scene.run("log", "--json").output.split(separator: "\n")
    return try log.enumerated().map { index, line in
      #expect(line.hasPrefix(#"{"position":\#(index + 1),"#))
      return String(try #require(line.firstMatch(of: /"kind":"([^"]*)"/)).output.1)
    }
  }

  private func line() throws -> [String] {
    let named = ["--label", "mine", "--json"]
    let answered = ["--password-stdin"] + named
    switch mode {
    case .liferayBasic, .liferayCookie:
      return portal("basic", mode == .liferayCookie ? ["--mode", "cookie"] : []) + answered
    case .liferayOAuth:
      return portal("oauth", ["--consumer-key", FakePortalConsumer.sample.key, "--no-browser"])
        + answered
    case .liferayRedirect:
      return portal("oauth2-redirect", ["--client-id", "gb-native", "--no-browser"]) + named
    case .liferayPassword:
      let client = FakePortalApplication.confidential.clientID
      return portal("oauth2-password", ["--client-id", client]) + answered
    case .httpBasic:
      return ["login", "http", "--url", url + "/private/", "--user", PlainServer.user] + answered
    case .httpDigest:
      return ["login", "http", "--url", url + "/", "--user", PlainServer.user] + answered
    case .form, .formSaved:
      return [
        "login", "form", "--url", url + "/dologin", "--check", url + "/shop/", "--user",
        PlainServer.user,
      ] + (mode == .formSaved ? ["--save-credentials"] : []) + answered
    case .oauth1:
      return [
        "login", "oauth1", "--request-url", url + "/request", "--authorize-url",
        url + "/authorize", "--access-url", url + "/access", "--consumer-key", "app",
        "--signature", "plaintext", "--check", url + "/me", "--user", "ada", "--no-browser",
      ] + answered
    case .oauth2:
      return [
        "login", "oauth2", "--token-url", url + "/token", "--revoke-url", url + "/revoke",
        "--device-url", url + "/device", "--flow", "device", "--check", url + "/notes",
        "--client-id", FakeIdentityServer.clientID, "--user", "ada",
      ] + answered
    case .oidc:
      return [
        "login", "oidc", "--issuer", url, "--client-id", FakeIdentityServer.clientID,
        "--no-browser",
      ] + named
    case .mobileFirst:
      return [
        "login", "mobilefirst", "--server", url + "/mfp", "--app", "com.example.app",
        "--app-version", "1.0", "--check", "UserLogin", "--user", "john",
      ] + answered
    case .fcsdk:
      return ["login", "fcsdk", "--server", url, "--user", FakeGatewayUser.ada.username] + answered
    }
  }

  private func portal(_ mode: String, _ more: [String]) -> [String] {
    ["login", "liferay", "--server", url, "--company-id", "10154"]
      + (more.contains("--mode") ? [] : ["--mode", mode]) + more
  }

  /// The answers, in the order of the questions.
  private var input: String {
    let isAsked = [.liferayBasic, .liferayCookie, .liferayPassword].contains(mode)
    let answers = (isAsked ? [FakePortalUser.ada.emailAddress] : []) + secrets
    return answers.map { $0 + "\n" }.joined()
  }

  /// The secrets among the answers, in the order of their questions.
  var secrets: [String] {
    let ada = FakePortalUser.ada
    return switch mode {
    case .liferayBasic, .liferayCookie: [ada.password]
    case .liferayOAuth: [FakePortalConsumer.sample.secret]
    case .liferayRedirect, .oauth2, .oidc: []
    case .liferayPassword: [ada.password, FakePortalApplication.confidential.secret ?? ""]
    case .httpBasic, .httpDigest, .form, .formSaved: [PlainServer.password]
    case .oauth1: [SignedPage.consumerSecret]
    case .mobileFirst: ["john"]
    case .fcsdk: [FakeGatewayUser.ada.password]
    }
  }

  private var resource: [String] {
    switch mode {
    case .liferayBasic, .liferayOAuth, .liferayRedirect, .liferayPassword:
      [
        "-H", "Content-Type: application/json", "-d", #"[{"/user/get-current-user":{}}]"#,
        url + "/api/jsonws/invoke",
      ]
    case .liferayCookie: [url + "/documents/1"]
    case .httpBasic: [url + "/private/notes"]
    case .httpDigest: [url + "/"]
    case .form, .formSaved: [url + "/shop/"]
    case .oauth1: [url + "/me"]
    case .oauth2, .oidc: [url + "/notes"]
    case .mobileFirst: [url + "/mfp/api/adapters/ResourceAdapter/balance"]
    case .fcsdk: [url + "/csdk-sample/page"]
    }
  }

  /// What the resource answers.
  var text: String {
    switch mode {
    case .liferayBasic, .liferayOAuth, .liferayRedirect, .liferayPassword: #""screenName":"ada""#
    case .liferayCookie: "Document 1"
    case .httpBasic, .oauth2, .oidc: "The notes of ada."
    case .httpDigest: "You are a guest."
    case .form, .formSaved: "The basket of ada."
    case .oauth1: "You are signed."
    case .mobileFirst: "19938.80"
    case .fcsdk: "There is nothing here."
    }
  }
}
