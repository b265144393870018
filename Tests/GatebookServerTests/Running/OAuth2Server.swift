internal import Foundation
internal import Glibc
internal import Testing

/// A real authorization server on loopback: django-oauth-toolkit.
final class OAuth2Server {
  /// An application as the server knows it, each for one flow.
  enum Application: String, CaseIterable {
    case page = "gatebook-public"
    case device = "gatebook-device"
    case password = "gatebook-password"
    case machine = "gatebook-machine"

    var secret: String? {
      switch self {
      case .page, .device: nil
      case .password: "password-secret"
      case .machine: "machine-secret"
      }
    }

    /// What the command line calls its flow.
    var flow: String {
      switch self {
      case .page: "code"
      case .device: "device"
      case .password: "password"
      case .machine: "client-credentials"
      }
    }
  }

  /// Where the token endpoint is held up.
  enum Hold: String {
    /// Before the server does anything.
    case before
    /// After it has acted, before anybody hears of it.
    case after
  }

  let base: String
  private let process: ServerProcess

  /// The one that all tests share; it must neither be stopped nor held up.
  static func shared() throws -> OAuth2Server {
    try OAuth2Server(ServerProcess(shared: .oauth2, in: TestServers.oauth2))
  }

  /// One for a test alone.
  ///
  /// The environment takes what the script offers, such as `GRACE` and `ACCESS_TTL`.
  static func own(_ environment: [String: String] = [:]) throws -> OAuth2Server {
    try OAuth2Server(ServerProcess(own: .oauth2, environment: environment))
  }

  private init(_ process: ServerProcess) throws {
    self.process = process
    base = try process.address("base")
  }

  /// The server's name of itself.
  var issuer: String { base + "/o" }
  var authorizeURL: String { issuer + "/authorize/" }
  var tokenURL: String { issuer + "/token/" }
  var deviceURL: String { issuer + "/device-authorization/" }
  var revokeURL: String { issuer + "/revoke_token/" }
  var introspectURL: String { issuer + "/introspect/" }
  /// Who a token speaks for, as `{"user":NAME,"client":ID}`.
  var checkURL: String { base + "/api/me" }

  /// The words of a login by `oidc`, or by `oauth2` with endpoints given by hand.
  ///
  /// The secret, where there is one, is to be answered last. A login by `oauth2` whose server names
  /// nobody gets the user's name from the command line.
  func login(
    _ command: String, _ application: Application, _ more: [String] = [],
    user: String = Person.bob.name, scopes: String = "read"
  ) -> [String] {
    var words = ["login", command, "--client-id", application.rawValue]
    words += ["--flow", application.flow, "--scopes", scopes, "--json"]
    // The server's description of itself leaves these two out.
    words += ["--revoke-url", revokeURL]
    if application == .device { words += ["--device-url", deviceURL] }
    words +=
      command == "oidc" ? ["--issuer", issuer] : ["--token-url", tokenURL, "--check", checkURL]
    if command == "oauth2", application == .page { words += ["--authorize-url", authorizeURL] }
    if command == "oauth2", [.page, .device].contains(application) {
      words += ["--user", user]
    }
    if application == .page { words += ["--no-browser"] }
    if application.secret != nil { words += ["--client-auth", "basic", "--password-stdin"] }
    return words + more
  }

  func stop() throws { try process.stop() }

  /// Starts it where it was: what it granted is still good.
  func startAgain() throws { try process.startAgain() }

  // MARK: What its owner may do

  /// Revokes all tokens of a person at the server, without telling the client, and returns the
  /// number of sessions.
  @discardableResult
  func revokeTokens(of person: Person) throws -> Int {
    try #require(try tell("revoke", person)["revoked"]?.integer)
  }

  /// Ends a person's access tokens before their time, and says how many those were.
  @discardableResult
  func expireTokens(of person: Person) throws -> Int {
    try #require(try tell("expire", person)["expired"]?.integer)
  }

  private func tell(_ what: String, _ person: Person) throws -> JSONObject {
    try process.requireOwn()
    let reply = try Curl.run([
      "--fail", "--data-urlencode", "user=\(person.name)", "\(base)/admin/\(what)",
    ])
    try #require(reply.status == 0, "\(reply.errors)")
    return try JSONObject(reply.output)
  }

  /// How many tokens of a person are good.
  func liveTokens(of person: Person) throws -> (access: Int, refresh: Int) {
    let reply = try Curl.run(["--fail", base + "/admin/tokens"])
    let counts = try #require(try JSONObject(reply.output)[person.name]?.object)
    return (
      try #require(counts["access"]?.integer), try #require(counts["refresh"]?.integer)
    )
  }

  /// Waits until all of a person's access tokens have expired.
  func waitForEndOfAccess(of person: Person) throws {
    for _ in 0..<1000 {
      if try liveTokens(of: person).access == 0 { return }
      _ = poll(nil, 0, 20)
    }
    Issue.record("an access token of \(person.name) does not end")
  }

  /// Whether an access token is good (RFC 7662).
  func isActive(_ token: String) throws -> Bool {
    let machine = "\(Application.machine.rawValue):\(Application.machine.secret ?? "")"
    let reply = try Curl.run([
      "--fail", "--user", machine, "-d", "token=\(token)", introspectURL,
    ])
    try #require(reply.status == 0, "\(reply.errors)")
    let isActive = try JSONObject(reply.output)["active"]?.bool
    return try #require(isActive as Bool?)
  }

  /// How long new access tokens live from now on.
  func setAccessLifetime(_ seconds: Int) throws {
    try process.requireOwn()
    try "\(seconds)".write(
      toFile: process.folder + "/access-ttl", atomically: true, encoding: .utf8)
  }

  /// Holds the answers of the token endpoint back until they are released, or for a minute.
  func hold(_ hold: Hold) throws {
    try process.requireOwn()
    try hold.rawValue.write(toFile: holdFile, atomically: true, encoding: .utf8)
  }

  func release() throws { try FileManager.default.removeItem(atPath: holdFile) }

  private var holdFile: String { process.folder + "/hold" }

  // MARK: What it was asked for

  /// A line of its log.
  struct Request {
    let path: String
    let query: String
    /// 0: it has come, and nothing was done yet.
    let status: Int
    let grant: String?
    /// Whom the token of a resource speaks for.
    let user: String?
    /// The fingerprint of the token that was shown, and that of the access token in the answer.
    let token: String?
    let issued: String?
    /// That of the token that was to be revoked.
    let revoked: String?
  }

  /// All that it was asked for, in order; who has an answer finds its request here.
  func requests() throws -> [Request] {
    let log = try String(contentsOfFile: process.folder + "/access.log", encoding: .utf8)
    return try log.split(separator: "\n").map { line in
      let facts = try JSONObject(String(line))
      return Request(
        path: try #require(facts["path"]?.text), query: try #require(facts["query"]?.text),
        status: try #require(facts["status"]?.integer), grant: facts["grant"]?.text,
        user: facts["user"]?.text, token: facts["token"]?.text, issued: facts["issued"]?.text,
        revoked: facts["revoked"]?.text)
    }
  }

  /// The refreshes that have come so far, with status 0, or what was answered to them.
  func refreshes(answered: Bool) throws -> [Request] {
    try requests().filter { $0.grant == "refresh_token" && ($0.status != 0) == answered }
  }

  /// Waits until so many refreshes have come, or were acted on.
  func wait(forRefreshes count: Int, answered: Bool) throws {
    for _ in 0..<12_000 {
      if try refreshes(answered: answered).count >= count { return }
      _ = poll(nil, 0, 5)
    }
    Issue.record("there was no refresh \(count)")
  }

  /// What the log writes in the place of a token.
  static func fingerprint(of token: String) throws -> String {
    let result = try ChildProcess.run(
      "sha256sum", [], environment: TestServers.environment, input: token)
    try #require(result.status == 0, "\(result.errors)")
    return String(result.output.prefix(16))
  }

  // MARK: Without Gatebook

  /// Asks the token endpoint, as an application, and returns its status and its answer.
  func token(
    _ application: Application, _ parameters: [String: String]
  ) throws -> (status: Int, answer: JSONObject) {
    var words = parameters.flatMap { ["--data-urlencode", "\($0)=\($1)"] }
    if let secret = application.secret {
      words += ["--user", "\(application.rawValue):\(secret)"]
    } else {
      words += ["-d", "client_id=\(application.rawValue)"]
    }
    let reply = try Curl.run(words + ["--write-out", "\n%{http_code}", tokenURL])
    let parts = reply.output.split(separator: "\n")
    return (
      try #require(parts.last.flatMap { Int($0) }),
      try JSONObject(parts.dropLast().joined(separator: "\n"))
    )
  }
}
