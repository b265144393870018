internal import GatebookFakes

/// A small OAuth 1.0a service that wants PLAINTEXT signatures (RFC 5849 section 3.4.4).
enum SignedPage {
  static let consumerSecret = "app secret"

  /// Starts one.
  static func start() throws -> LoopbackServer {
    let server = try LoopbackServer { request in
      switch request.path {
      case "/request" where has("app%2520secret%26", request):
        .text("oauth_token=temporary&oauth_token_secret=one&oauth_callback_confirmed=true")
      case "/access"
      where has("app%2520secret%26one", request)
        && value("oauth_verifier", request) == "verifier":
        .text("oauth_token=token&oauth_token_secret=two")
      case "/me" where has("app%2520secret%26two", request): .text("You are signed.\n")
      default: .text("Who are you?\n", status: 401)
      }
    }
    try server.start()
    return server
  }

  /// The callback that was named with the first request.
  static func callback(_ server: LoopbackServer) -> String? {
    guard let request = server.requests.last(where: { $0.path == "/request" }) else { return nil }
    return value("oauth_callback", request)?
      .replacing("%3A", with: ":").replacing("%2F", with: "/")
  }

  private static func has(_ signature: String, _ request: LoopbackRequest) -> Bool {
    value("oauth_signature", request) == signature
  }

  private static func value(_ name: String, _ request: LoopbackRequest) -> String? {
    let field = request.fields["Authorization"] ?? ""
    guard let start = field.firstRange(of: "\(name)=\"")?.upperBound else { return nil }
    return String(field[start...].prefix { $0 != "\"" })
  }
}
