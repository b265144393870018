internal import Gatebook
internal import GatebookFakes
internal import GatebookSystem

/// The servers that `gatebook demo` and `gatebook fleet demo` log in to: an OpenID Connect server
/// and two Liferay portals.
///
/// They listen on free ports of 127.0.0.1. As soon as all of them do, standard output has one line,
/// a JSON object:
///
/// | Member | What it is |
/// |---|---|
/// | `issuer` | the issuer of the OpenID Connect server |
/// | `client` | the client ID of the application that the server knows |
/// | `user`, `password` | who logs in there by password |
/// | `portal` | the URL of the Liferay 7 portal |
/// | `portalUser`, `portalPassword` | an e-mail address that logs in there |
/// | `oldPortal` | the URL of the Liferay 6.2 portal |
/// | `oldPortalUser`, `oldPortalPassword` | a screen name that logs in there |
/// | `company` | the company ID of both portals |
///
/// Then each line of standard input is a command, and is answered with one line:
///
/// | Command | What it does | Answer |
/// |---|---|---|
/// | `end-tokens` | The OpenID Connect server refuses all access tokens given so far. | `done` |
/// | `end-sessions` | It refuses the refresh tokens too. | `done` |
/// | anything else | Nothing. | `unknown` |
///
/// The program and its servers end when its standard input closes. Exits: 0 after that, 1 when a
/// server cannot be started, with the reason on standard error.
@main struct DemoServersMain {
  static func main() {
    do throws(GatebookError) {
      try serve()
    } catch {
      let text = "gatebook-demo-servers: \(error.message)\n"
      _ = FileDescriptor.write(text.utf8, to: FileDescriptor.standardError)
      ThisProcess.exit(1)
    }
  }

  private static func serve() throws(GatebookError) {
    var settings = FakeIdentitySettings()
    settings.lifetime = .seconds(3630)
    let identity = try FakeIdentityServer(settings: settings)
    let (ben, cleo) = (FakePortalUser.ben, FakePortalUser.cleo)
    let portal = try FakeLiferayPortal(users: [ben], seed: 1)
    let oldPortal = try FakeLiferayPortal(
      users: [cleo], switches: FakePortalSwitches(version: .v62), seed: 2)
    try identity.start()
    try portal.start()
    try oldPortal.start()
    let places: Facts = [
      "issuer": .text(identity.issuer), "client": .text(FakeIdentityServer.clientID),
      "user": .text(FakeIdentityServer.user), "password": .text(FakeIdentityServer.password),
      "portal": .text(portal.url), "portalUser": .text(ben.emailAddress),
      "portalPassword": .text(ben.password), "oldPortal": .text(oldPortal.url),
      "oldPortalUser": .text(cleo.screenName), "oldPortalPassword": .text(cleo.password),
      "company": .integer(ben.companyID),
    ]
    say(String(decoding: FactValue.object(places).encoded, as: UTF8.self))
    while let command = readLine() {
      switch command {
      case "end-tokens":
        identity.endTokens()
        say("done")
      case "end-sessions":
        identity.endSessions()
        say("done")
      default: say("unknown")
      }
    }
    for server: any FakeServer in [identity, portal, oldPortal] { server.stop() }
  }

  private static func say(_ line: String) {
    print(line)
    ThisProcess.flush()
  }
}
