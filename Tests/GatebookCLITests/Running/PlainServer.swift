internal import GatebookFakes

/// A small server with a folder protected by HTTP Basic and a shop with a login form.
enum PlainServer {
  static let user = "ada"
  static let password = "pässword: 1"

  /// Starts one.
  static func start() throws -> LoopbackServer {
    let server = try LoopbackServer { request in
      switch request.path {
      case "/private/", "/private/notes", "/private/large", "/private/broken": folder(request)
      case "/private/away": .redirect(to: "/open/")
      case "/open/": .text("Anybody may read this.\n")
      case "/login": .html(page)
      case "/dologin": logIn(request)
      case "/shop/": shop(request)
      default: .text("There is nothing here.\n", status: 404)
      }
    }
    try server.start()
    return server
  }

  private static let page = """
    <form action='/dologin' method='post'><input name='httpd_username'>
    <input type='password' name='httpd_password'></form>
    """

  private static func folder(_ request: LoopbackRequest) -> LoopbackReply {
    guard let credentials = request.basicCredentials, credentials.name == user,
      credentials.password == password
    else {
      return .text(
        "Who are you?\n", status: 401,
        fields: ["WWW-Authenticate": #"Basic realm="private", charset="UTF-8""#])
    }
    switch request.path {
    case "/private/large": return LoopbackReply(content: .repeated(UInt8(ascii: "a"), count: large))
    case "/private/broken":
      return LoopbackReply(
        content: .repeated(UInt8(ascii: "a"), count: large), delivery: .truncated(after: large / 2))
    case _ where request.method == "POST":
      let isChunked = request.fields["Transfer-Encoding"] != nil
      return .text("\(request.body.count) bytes\(isChunked ? " in chunks" : "")\n")
    default: return .text("The notes of \(user).\n")
    }
  }

  /// The size of a body that is streamed.
  static let large = 6 << 20

  private static func logIn(_ request: LoopbackRequest) -> LoopbackReply {
    let isRight =
      request.formValue("httpd_username") == user
      && request.formValue("httpd_password") == password
    return .redirect(
      to: isRight ? "/shop/" : "/login",
      fields: ["Set-Cookie": "session=\(isRight ? "5eed" : "none"); Path=/; HttpOnly"])
  }

  private static func shop(_ request: LoopbackRequest) -> LoopbackReply {
    guard request.cookie("session") == "5eed" else { return .redirect(to: "/login") }
    return .text("The basket of \(user).\n")
  }
}
