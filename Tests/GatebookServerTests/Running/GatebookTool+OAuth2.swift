internal import Foundation
internal import Glibc
internal import Testing

extension GatebookTool {
  /// Logs a person in by `oidc` or `oauth2`, each application by its own flow, as the person does
  /// it.
  @discardableResult
  func logIn(
    _ person: Person, at server: OAuth2Server, by command: String = "oidc",
    _ application: OAuth2Server.Application = .password, _ more: [String] = []
  ) throws -> JSONObject {
    let words = server.login(command, application, more, user: person.name)
    switch application {
    case .page:
      let login = try start(words)
      try person.visit(login.page(), following: true)
      return try Self.account(login.end())
    case .device:
      let login = try start(words)
      try person.visit(login.page(), entering: login.code())
      return try Self.account(login.end())
    case .password:
      return try object(
        words + ["--user", person.name],
        answers: [person.password, try #require(application.secret)])
    case .machine:
      return try object(words, answers: [try #require(application.secret)])
    }
  }

  private static func account(_ ending: ChildProcess) throws -> JSONObject {
    try #require(ending.status == 0, "\(ending.errors)")
    return try JSONObject(ending.output)
  }

  /// Whom a request of an account speaks for, as the server says.
  func user(at server: OAuth2Server, _ words: [String] = []) throws -> String? {
    let reply = try run(["request", "--fail", server.checkURL] + words)
    try #require(reply.status == 0, "\(reply.errors)")
    return try JSONObject(reply.output)["user"]?.text
  }

  /// The access token that `gatebook token` prints.
  func token(_ words: [String] = []) throws -> String {
    let result = try run(["token"] + words)
    try #require(result.status == 0, "\(result.errors)")
    return String(result.output.dropLast())
  }

  /// Waits until the access token has expired by Gatebook's clock too, which counts from a later
  /// moment than the server's.
  func waitForEndOfAccess(of person: Person, at server: OAuth2Server) throws {
    try server.waitForEndOfAccess(of: person)
    let end = try #require(try object(["whoami"])["expiresAt"]?.text)
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let left = try style.parse(end).timeIntervalSinceNow
    try #require(left < 60)
    if left > 0 { _ = poll(nil, 0, Int32(left * 1000) + 1) }
  }

  /// The kinds of the events after the first ones.
  func kinds(after count: Int) throws -> [String] { Array(try kinds().dropFirst(count)) }
}
