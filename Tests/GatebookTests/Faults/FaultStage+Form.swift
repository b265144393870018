import Gatebook
import GatebookFakes
import Testing

extension FaultStage {
  /// A stage whose server has a login form.
  static func form() async throws -> FaultStage {
    let world = try TestBook()
    let sessions = FormSessions([])
    let server = try LoopbackServer(clock: world.clock) { request in
      answer(request, sessions)
    }
    let proxy = try FaultProxy(to: server.port, clock: world.clock)
    try server.start()
    return try await FaultStage(
      world, proxy, server: sessions, page: .get(try url(proxy, "/page")),
      received: { server.requests },
      secrets: { sessions.value + [password] },
      method: {
        .form(
          loginURL: try url(proxy, "/login"), checkURL: try url(proxy, "/check"), user: "ada",
          password: Secret(password), mayLogInAgain: true)
      })
  }

  private static let password = "lovelace of ockham"

  /// Asks for the form, as Apache's module does: everything is a redirect.
  private static func answer(
    _ request: LoopbackRequest, _ sessions: FormSessions
  ) -> LoopbackReply {
    switch (request.method, request.path) {
    case ("POST", "/login"):
      guard
        request.text.hasSuffix("httpd_password=lovelace+of+ockham")
          || request.text.hasSuffix("httpd_password=lovelace%20of%20ockham")
      else { return .redirect(to: "/form?failed") }
      let session = sessions.withLock { sessions in
        sessions.append("session-\(sessions.count + 1)-of-the-form")
        return sessions.count
      }
      return .redirect(
        to: "/check", fields: ["Set-Cookie": "sid=session-\(session)-of-the-form; Path=/"])
    case (_, "/form"): return .html("<form></form>")
    default:
      let cookie = request.fields["Cookie"] ?? ""
      let isKnown = sessions.value.contains { cookie == "sid=\($0)" }
      return isKnown ? .text("private\n") : .redirect(to: "/form")
    }
  }
}

/// The sessions that a server with a form knows.
typealias FormSessions = TestBox<[String]>
