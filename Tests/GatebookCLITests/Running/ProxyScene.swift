internal import Gatebook
internal import Glibc
internal import Testing

@testable internal import GatebookCLI
@testable internal import GatebookFakes

/// A book with an account, and programs that send requests through its proxies.
struct ProxyScene {
  let scene: Scene

  init() throws { scene = try Scene() }

  var path: String { "\(scene.folder)/run/s" }

  /// Logs in at a folder that Basic protects.
  func logInAtFolder() throws -> LoopbackServer {
    let server = try PlainServer.start()
    let login = try scene.run(
      "login", "http", "--url", server.url + "/private/", "--user", PlainServer.user,
      "--password-stdin", input: PlainServer.password + "\n")
    try #require(login.exit == 0, "\(login.errors)")
    return server
  }

  /// Starts a proxy at a socket that takes requests.
  func start(_ more: [String] = []) throws -> ChildProcess {
    let child = try scene.start(["proxy", "--socket", path] + more)
    try #require(child.read(until: "\n") == "\(path)\n")
    return child
  }

  /// Starts a proxy at a port.
  func startAtPort(
    _ more: [String] = []
  ) throws -> (
    child: ChildProcess, url: String, capability: String
  ) {
    let child = try scene.start(["proxy", "--port", "0", "--json"] + more)
    let told = try #require(PlainJSON.read(Array(child.read(until: "\n").utf8)))
    return (child, try #require(told["url"]?.string), try #require(told["capability"]?.string))
  }

  /// Ends a proxy as Ctrl-C does.
  func end(_ child: ChildProcess) -> ChildProcess.Ending {
    child.signal(SIGTERM)
    return child.end()
  }

  /// What curl prints of a path, asked at the socket.
  func get(_ target: String, _ more: String...) throws -> String {
    try curl(["--unix-socket", path, "http://localhost\(target)"] + more)
  }

  /// What curl prints.
  func curl(_ line: [String], as user: [String] = []) throws -> String {
    try Daemon(
      user + ["curl", "-s", "--noproxy", "*", "--max-time", "20"] + line,
      ["PATH": "/usr/bin:/bin"]
    ).end().output
  }

  /// The events of a kind, a line of JSON each.
  func events(_ kind: String) throws -> [String] {
    try scene.run("log", "--json", "--kind", kind).output.split(separator: "\n").map(String.init)
  }

  /// What runs a program as another user of the machine; `nil` where this user may not.
  static var asOther: [String]? {
    guard geteuid() == 0, access("/usr/bin/setpriv", X_OK) == 0 else { return nil }
    return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
  }
}
