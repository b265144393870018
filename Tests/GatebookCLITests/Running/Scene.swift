internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// A throw-away home with a book, and a fake portal to log in to.
final class Scene {
  let portal: FakeLiferayPortal
  let folder: String

  /// Starts the portal, with TLS if it is given.
  init(tls: LoopbackTLS? = nil) throws {
    portal = try FakeLiferayPortal(tls: tls, seed: 7)
    try portal.start()
    folder = try TemporaryFolder(named: "gatebook-test").path
  }

  deinit {
    portal.stop()
    TemporaryFolder(at: folder).remove()
  }

  var book: String { "\(folder)/data/gatebook/sessions.gatebook" }

  var environment: [String: String] {
    [
      "HOME": folder, "XDG_DATA_HOME": "\(folder)/data", "XDG_CONFIG_HOME": "\(folder)/config",
      "TZ": "UTC",
      // No proxy is at these addresses: requests to this machine never use a proxy.
      "http_proxy": Self.noProxy, "https_proxy": Self.noProxy, "ALL_PROXY": Self.noProxy,
    ]
  }

  private static let noProxy = "http://proxy.invalid:1"

  /// The key file of the book.
  func keyFile() throws -> String {
    let id = try BookReader.open(at: book).id
    return "\(folder)/config/gatebook/keys/\(id).key"
  }

  /// Runs `gatebook` to its end.
  @discardableResult
  func run(
    _ line: String..., input: String = "", environment more: [String: String] = [:]
  ) throws -> ChildProcess.Ending {
    try start(line, ChildProcess.Streams(input: input), environment: more).end()
  }

  /// Starts `gatebook`.
  func start(
    _ line: [String], _ streams: ChildProcess.Streams = ChildProcess.Streams(),
    environment more: [String: String] = [:]
  ) throws -> ChildProcess {
    try ChildProcess(
      line, in: self, environment: environment.merging(more) { $1 }, streams: streams)
  }

  /// Logs a user of the portal in.
  @discardableResult
  func logIn(
    _ user: FakePortalUser, label: String? = nil, mode: String = "basic", _ more: String...
  ) throws -> ChildProcess.Ending {
    let line =
      [
        "login", "liferay", "--server", portal.url, "--company-id", "10154", "--user",
        user.emailAddress, "--mode", mode, "--password-stdin",
      ] + (label.map { ["--label", $0] } ?? []) + more
    let ending = try start(line, ChildProcess.Streams(input: user.password + "\n")).end()
    try #require(ending.exit == 0, "\(ending.errors)")
    return ending
  }

  /// Ada, Ben and Cleo logged in, Cleo current, and one wrong password.
  func populate() throws {
    try logIn(.ada, label: "ada")
    try logIn(.ben, label: "ben", mode: "cookie", "--save-credentials")
    try logIn(.cleo, label: "cleo")
    try run(
      "login", "liferay", "--server", portal.url, "--user", FakePortalUser.ada.emailAddress,
      "--password-stdin", input: "wrong\n")
  }
}
