/// A way to log in to the real Apache, and the pages that it opens.
struct ServerLogin: CustomStringConvertible, Sendable {
  enum Method: String, CaseIterable {
    case http, form
  }

  let method: Method
  /// The area that is closed to all others.
  let path: String
  let user: String
  let password: String

  static let basic = ServerLogin(
    method: .http, path: "/basic/", user: "alice", password: "alice-pass-1")
  static let form = ServerLogin(
    method: .form, path: "/form/", user: "alice", password: "alice-pass-1")

  static let digest = ServerLogin(
    method: .http, path: "/digest/", user: "Mufasa", password: "Circle of Life")

  /// One of each kind.
  static let each = [basic, form, digest]

  /// Names, passwords and realms that break careless clients.
  static let awkward = [
    ServerLogin(method: .http, path: "/basic/", user: "Aladdin", password: "open sesame"),
    ServerLogin(method: .http, path: "/basic/", user: "test", password: "123£"),
    ServerLogin(method: .http, path: "/utf8/", user: "žofie", password: "heslo-ěšč"),
    ServerLogin(method: .http, path: "/multi/", user: "test", password: "123£"),
    ServerLogin(method: .http, path: "/digest/", user: "alice", password: "alice-pass-1"),
    ServerLogin(method: .form, path: "/form/", user: "Aladdin", password: "open sesame"),
    ServerLogin(method: .form, path: "/form/", user: "test", password: "123£"),
    ServerLogin(method: .form, path: "/form/", user: "žofie", password: "heslo-ěšč"),
  ]

  var description: String { "\(method.rawValue) \(path) \(user)" }

  /// What the area answers to those it lets in.
  var secret: String { "secret of \(path.filter { $0 != "/" })\n" }

  func url(_ server: ApacheServer) -> String { server.base + path }

  /// The words of the command, with the check at the closed area or at another one.
  func command(_ server: ApacheServer, check: String? = nil) -> [String] {
    let check = server.base + (check ?? path)
    let target =
      switch method {
      case .http: ["--url", check]
      case .form: ["--url", server.base + "/dologin", "--check", check]
      }
    return ["login", method.rawValue] + target + ["--user", user, "--password-stdin"]
  }
}
