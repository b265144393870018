internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// Errors on the login page in Chromium, each once, and what people and strangers do with a page.
struct PageErrorTests {
  private let servers: PageServers
  private let plan: BrowserPlan

  init() throws {
    servers = try PageServers()
    plan = try BrowserPlan()
  }

  private func check() async throws {
    let problems = try await plan.problems()
    servers.stop()
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  private static let axe: KeyValuePairs<String, JSON?> = [
    "axe": true, "width": 320,
  ]
  private static let wrong = "The server did not accept this user name and password."

  @Test func `an error is at the field that it belongs to, and what was typed stays`() async throws
  {
    let url = servers.portal.url
    try plan.run(
      "empty fields, then a wrong password", PageMethod.liferayEmail.words(at: url),
      [
        .types([], ["errors": .by(["user": "Fill in", "password": "Fill in"]), "focus": "user"]),
        .types(
          [("user", FakePortalUser.ada.emailAddress), ("password", "wrong password")],
          [
            "errors": .by(["password": Self.wrong]), "focus": "password",
            "values": .by(["user": FakePortalUser.ada.emailAddress, "password": ""]),
          ]),
        // The button shows the password, and Enter in the field still logs in.
        .present([
          "type": .by(["password": "abc"]), "reveal": "password",
          "expect": .present([
            "types": .by(["password": "text"]), "values": .by(["password": "abc"]),
            "focus": "button",
          ]),
        ]),
        .types([("password", FakePortalUser.ada.password)], ["heading": .loggedIn]),
      ], settings: Self.axe)
    try plan.run(
      "a user ID is a number", PageMethod.liferayUserID.words(at: url),
      [.types([("user", "ada"), ("password", "x")], ["errors": .by(["user": "Enter a number"])])],
      settings: ["leave": true, "axe": true])
    try plan.run(
      "MobileFirst counts the attempts", PageMethod.mobileFirst.words(at: servers.mobileFirst.url),
      [
        .types(
          [("user", "john"), ("password", "jack")],
          ["errors": .by(["password": "Wrong Credentials Attempts left: 2."])]),
        .types(
          [("password", "jack")], ["errors": .by(["password": "Attempts left: 1."])]),
        .types([("password", "john")], ["heading": .loggedIn]),
      ], settings: Self.axe)
    try plan.run(
      "a gateway's settings",
      ["login", "fcsdk", "--theme", "flat7", "--timeout", "5"],
      [
        .sees(["fields": .texts(PageMethod.fcsdk.fields), "focus": "server"]),
        .types(
          [("server", "no host/"), ("port", "0"), ("user", "ada"), ("password", "x")],
          ["errors": .by(["server": "Enter a host name", "port": "from 1 to 65535"])]),
        .present([
          "type": .present([
            "server": "127.0.0.1", "port": "9", "secure": false, "password": "x",
          ]),
          "press": "Enter", "expect": .present(["errors": .by(["server": "could not be reached"])]),
        ]),
        .types(
          [("server", "gateway.example"), ("port", "8080"), ("password", "x")],
          ["errors": .by(["secure": "Without TLS"])]),
        .types(
          [
            ("server", "127.0.0.1"), ("port", "\(servers.gateway.server.port)"),
            ("password", FakeGatewayUser.ada.password),
          ], ["heading": .loggedIn]),
      ], settings: Self.axe)
    try await check()
  }

  @Test func `failures of a server are above the form, and it can be sent again`() async throws {
    servers.portal.inject(.status(503), on: .invoke)
    try plan.run(
      "a server in trouble", PageMethod.liferayEmail.words(at: servers.portal.url),
      [
        .types(
          PageMethod.liferayEmail.answers,
          ["alert": "has a problem. Try again later.", "errors": .present([:])]),
        .present(["press": "details", "expect": .present(["texts": .texts(["503"])])]),
        .types([("password", FakePortalUser.ada.password)], ["heading": .loggedIn]),
      ], settings: Self.axe)
    var settings = FakeIdentitySettings()
    settings.clientProof = .basic
    let confidential = try FakeIdentityServer(settings: settings)
    try confidential.start()
    defer { confidential.stop() }
    try plan.run(
      "a server that wants the client's secret",
      PageMethod.oidc.words(at: confidential.issuer),
      [
        .types(
          PageMethod.oidc.answers,
          ["errors": .by(["clientSecret": "wants the secret"]), "focus": "clientSecret"]),
        .types(
          [
            ("password", FakeIdentityServer.password),
            ("clientSecret", FakeIdentityServer.secret),
          ], ["heading": .loggedIn]),
      ])
    try plan.run(
      "a page that proves nothing", ["login", "http", "--url", servers.plain.url + "/open/"],
      [.types(PageMethod.http.answers, ["alert": "gave no proof"])],
      settings: ["leave": true, "axe": true])
    let home = plan.home()
    let words = PageMethod.liferayEmail.words(at: servers.portal.url)
    try plan.run(
      "Ada", words + ["--label", "ada"], home: home,
      [.types(PageMethod.liferayEmail.answers, ["heading": .loggedIn])])
    try plan.run(
      "another user than the account's", words + ["--account", "ada"], home: home, exit: 130,
      [
        .types(
          [
            ("user", FakePortalUser.ben.emailAddress),
            ("password", FakePortalUser.ben.password),
          ], ["alert": "another user than this account"]),
        .present(["press": "Cancel", "expect": .present(["heading": "The login was canceled"])]),
      ], settings: ["says": .texts(["The page waits for another try"])])
    try await check()
  }

  @Test func `a certificate and a server in front ask on the same page`() async throws {
    let gateway = try FakeGateway(tls: LoopbackTLS(try .selfSigned()))
    try gateway.start()
    defer { gateway.stop() }
    let answers = PageMethod.fcsdk.answers
    let password = ("password", FakeGatewayUser.ada.password)
    // The checks with axe move the focus; without them Enter finds it where the page has put it.
    for (theme, hasAxe) in [("default", true), ("default", false), ("flat7", false)] {
      try plan.run(
        "a certificate that nobody vouches for, \(theme)\(hasAxe ? " with axe" : "")",
        PageMethod.fcsdk.words(at: gateway.url) + ["--theme", theme],
        [
          .types(answers, ["errors": .by(["acceptsCertificates": "cannot be verified"])]),
          .present([
            "type": .present(["acceptsCertificates": true, "password": .text(password.1)]),
            "press": "Enter",
            "expect": .present([
              "heading": "Is this the right server?", "focus": "button",
              "facts": .by(["Problem": "The server issued it to itself."]),
            ]),
          ]),
          // Enter does the safe thing.
          .present([
            "press": "Enter",
            "expect": .present(["errors": .by(["acceptsCertificates": "cannot be verified"])]),
          ]),
          .types([password], ["heading": "Is this the right server?"]),
          .present(["press": "Accept this key", "expect": .present(["heading": .loggedIn])]),
        ], settings: ["axe": .bool(hasAxe), "width": 320])
    }
    let front = try FakeLiferayPortal(seed: 8)
    front.switches.front = FakePortalFront(
      name: PlainServer.user, password: PlainServer.password, schemes: [.basic])
    try front.start()
    defer { front.stop() }
    try plan.run(
      "a server in front of the portal", PageMethod.liferayCookie.words(at: front.url),
      [
        .types(
          PageMethod.liferayCookie.answers,
          [
            "heading": "The server asks for a password",
            "fields": .texts(["user", "password", "keeps"]),
          ]),
        .types(
          [("user", PlainServer.user), ("password", "wrong password")],
          ["errors": .by(["password": Self.wrong])]),
        .types(
          [("user", PlainServer.user), ("password", PlainServer.password)], ["heading": .loggedIn]),
      ], settings: ["axe": true])
    try await check()
  }

  @Test func `people reload, go back, press twice and cancel, and strangers see nothing`()
    async throws
  {
    let words = PageMethod.liferayEmail.words(at: servers.portal.url)
    let ada = FakePortalUser.ada
    try plan.run(
      "reload, back, twice, stranger", words,
      [
        .sees(["heading": .form]),
        .present(["reload": true, "expect": .present(["heading": .form])]),
        .present([
          "visit": "stranger", "console": .texts(["403"]),
          "expect": .present([
            "heading": "This page is not available", "fields": .texts([]),
            "texts": .texts(["opened before, in another browser"]), "absent": .texts(["Email"]),
          ]),
        ]),
        .types(
          [("user", ada.emailAddress), ("password", "wrong password")],
          ["errors": .by(["password": Self.wrong])]),
        .present(["visit": "again", "expect": .present(["errors": .by(["password": Self.wrong])])]),
        .present([
          "type": .by(["password": ada.password]), "press": "Enter", "times": 2,
          "expect": .present(["heading": .loggedIn]),
        ]),
      ], settings: ["says": .texts(["opened the login page's address after it had been used"])])
    try plan.run(
      "cancel", words, exit: 130,
      [.present(["press": "Cancel", "expect": .present(["heading": "The login was canceled"])])],
      settings: Self.axe)
    let slow = try FakeLiferayPortal(seed: 8)
    try slow.start()
    slow.inject(.hold, on: .invoke)
    defer { slow.stop() }
    try plan.run(
      "a slow server, canceled", PageMethod.liferayEmail.words(at: slow.url), exit: 130,
      [
        .types(PageMethod.liferayEmail.answers, ["heading": "Logging in"]),
        .present([
          "press": "Cancel",
          "expect": .present(["heading": .form, "values": .by(["user": ada.emailAddress])]),
        ]),
        .present(["press": "Cancel", "expect": .present(["heading": "The login was canceled"])]),
      ], settings: Self.axe)
    try plan.run(
      "left open", words + ["--page-timeout", "2"], exit: 3,
      [.sees(["heading": .form]), .sees(["heading": "This page has expired"])],
      settings: Self.axe)
    let killed = plan.home()
    try plan.run(
      "a killed process leaves nothing half done", words, home: killed, exit: -9,
      [.present(["signal": "KILL", "expect": .present(["heading": .form])])])
    try plan.run(
      "the next process", words, home: killed,
      [.types(PageMethod.liferayEmail.answers, ["heading": .loggedIn])])
    try await check()
  }

  @Test func `a known account is filled in, and logs in again on the page where it was chosen`()
    async throws
  {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    #expect(try scene.run("logout", "ada").exit == 0)
    try plan.run(
      "a chosen account logs in again", ["login"], home: scene.folder,
      [
        .sees(["heading": "Choose an account", "accounts": .texts(["ada"])]),
        .present([
          "press": "ada",
          "expect": .present([
            "heading": .form, "focus": "password",
            "values": .by(["user": FakePortalUser.ada.emailAddress]),
          ]),
        ]),
        .types([("password", FakePortalUser.ada.password)], ["heading": .loggedIn]),
      ], settings: ["axe": true])
    let home = plan.home()
    try plan.run(
      "a gateway", PageMethod.fcsdk.words(at: servers.gateway.url) + ["--label", "gw"], home: home,
      [
        .present([
          "type": .present([
            "useCookies": false, "user": "ada", "password": .text(FakeGatewayUser.ada.password),
          ]), "press": "Enter", "expect": .present(["heading": .loggedIn]),
        ])
      ])
    try plan.run(
      "the gateway's settings come back", ["login", "gw"], home: home,
      [
        .sees([
          "focus": "password",
          "values": .present([
            "server": "127.0.0.1", "port": .text("\(servers.gateway.server.port)"),
            "secure": false, "useCookies": false, "user": "ada",
          ]),
        ]),
        .types([("password", FakeGatewayUser.ada.password)], ["heading": .loggedIn]),
      ])
    try await check()
  }

  @Test func `accounts are chosen by their states, whatever they are called`() async throws {
    let home = plan.home()
    let words = PageMethod.liferayEmail.words(at: servers.portal.url)
    let label = #"<b>ada</b> & "co"#
    try plan.run(
      "log in", words + ["--label", label], home: home,
      [
        .types(
          PageMethod.liferayEmail.answers, ["heading": .loggedIn, "facts": .by(["Account": label])])
      ])
    try plan.run(
      "an active account continues", ["login"], home: home,
      [
        .sees([
          "heading": "Choose an account", "accounts": .texts([label]),
          "absent": .texts(["Password"]),
        ]),
        .present([
          "press": .text(label), "expect": .present(["heading": "You continue with this account"]),
        ]),
      ], settings: Self.axe)
    try await check()
  }

  @Test
  func `the page speaks the browser's language, also from right to left and without a script`()
    async throws
  {
    let words = PageMethod.fcsdk.words(at: servers.gateway.url)
    for (language, heading, direction) in [
      ("de-AT,de;q=0.9", "Anmelden", "ltr"), ("es", "Iniciar sesión", "ltr"),
      ("cs", "Přihlášení", "ltr"), ("ar-XB", "Log in", "rtl"),
    ] {
      for theme in ["default", "flat7"] {
        try plan.run(
          "\(language), \(theme)", words + ["--theme", theme],
          [.types([], ["heading": .text(heading), "dir": .text(direction)])],
          settings: [
            "language": .text(language), "leave": true, "axe": true,
            "width": 320, "scheme": .text(theme == "flat7" ? "dark" : "light"),
          ])
      }
    }
    for theme in ["default", "flat7"] {
      try plan.run(
        "without a script, \(theme)",
        PageMethod.liferayEmail.words(at: servers.portal.url) + ["--theme", theme],
        [
          .types(
            [("user", FakePortalUser.ada.emailAddress), ("password", "wrong password")],
            ["errors": .by(["password": Self.wrong])]),
          .types([("password", FakePortalUser.ada.password)], ["heading": .loggedIn]),
        ], settings: ["script": false, "width": 3840, "height": 2160])
    }
    try await check()
  }
}
