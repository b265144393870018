internal import Foundation
internal import Testing

/// A real forge on loopback: git repositories and a Python package index on an Apache.
final class ForgeServer {
  /// Where the same repositories are, by what they ask for.
  enum Area: String, CaseIterable, CustomStringConvertible {
    /// A name and a password.
    case git
    /// An access token, as bearer or as the password.
    case token

    var description: String { rawValue }
  }

  let base: String
  private let process: ServerProcess

  /// One for a test alone, with the server that knows the tokens.
  static func own(tokensOf server: OAuth2Server? = nil) throws -> ForgeServer {
    let environment = server.map { ["TOKENS": $0.base] } ?? [:]
    return try ForgeServer(ServerProcess(own: .forge, environment: environment))
  }

  private init(_ process: ServerProcess) throws {
    self.process = process
    base = try process.address("base")
  }

  /// A repository, such as `whole` with its twenty submodules.
  func repository(_ name: String, in area: Area = .git, of user: String? = nil) -> String {
    let start = user.map { base.replacing("//", with: "//\($0)@") } ?? base
    return "\(start)/\(area.rawValue)/\(name).git"
  }

  /// The index of Python packages.
  func index(of user: String? = nil) -> String {
    (user.map { base.replacing("//", with: "//\($0)@") } ?? base) + "/simple/"
  }

  /// The words of a login by `http`, at the repositories or at another path.
  func login(_ person: Person, at path: String = "/git/") -> [String] {
    ["login", "http", "--url", base + path, "--user", person.name, "--password-stdin"]
  }

  func stop() throws { try process.stop() }

  /// Starts it where it was.
  func startAgain() throws { try process.startAgain() }

  /// What a repository's branch `main` is at.
  func head(of repository: String) throws -> String {
    let path = "\(process.folder)/repositories/\(repository).git/refs/heads/main"
    return try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .newlines)
  }

  /// What was asked for with this text in its path, as it was answered: `user path status`, with
  /// `-` for nobody's.
  func requests(with text: String) throws -> [String] {
    try ApacheLog(base: base, file: process.folder + "/access.log").requests(with: text)
      .map { $0.replacing(#/\?\S*/#, with: "") }
  }

  /// Changes a person's password at the server to `changed-` and the name.
  func changePassword(of person: Person) throws {
    let result = try ChildProcess.run(
      "htpasswd", ["-i", "-5", process.folder + "/htpasswd", person.name],
      environment: TestServers.environment, input: "changed-\(person.name)\n")
    try #require(result.status == 0, "\(result.errors)")
  }
}
