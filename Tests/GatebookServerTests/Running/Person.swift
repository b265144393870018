internal import Testing

/// Somebody in a browser, who logs in where a client sends people to, and allows or denies.
struct Person {
  let name: String
  let password: String

  static let alice = Person(name: "alice", password: "alice-pass-1")
  static let bob = Person(name: "bob", password: "bob-pass-1")
  static let zofie = Person(name: "žofie", password: "heslo-ěšč")

  /// One of the many that the authorization server knows, 1 to 20.
  static func numbered(_ number: Int) -> Person {
    let name = "user-" + (number < 10 ? "0" : "") + "\(number)"
    return Person(name: name, password: name + "-pass")
  }

  /// Goes through the pages from there on and returns the redirect to the client, or what the last
  /// page says when it leads nowhere.
  ///
  /// The person goes to the client itself only when `following`, and it must take that well. A page
  /// that asks for what another device shows gets the code.
  @discardableResult
  func visit(
    _ url: String, entering code: String? = nil, allowing: Bool = true, following: Bool = false
  ) throws -> String {
    let result = try attempt(url, entering: code, allowing: allowing, following: following)
    try #require(result.status == 0, "\(result.errors)")
    return String(result.output.dropLast())
  }

  /// The same, when it may fail: then the status is 1 and the errors say why.
  func attempt(
    _ url: String, entering code: String? = nil, allowing: Bool = true, following: Bool = false
  ) throws -> ChildProcess {
    try ChildProcess.run(
      TestServers.sources + "/tools/servers/person",
      [url, name] + (code.map { ["--code", $0] } ?? []) + (allowing ? [] : ["--deny"])
        + (following ? ["--follow"] : []),
      environment: TestServers.environment, input: password + "\n")
  }
}
