internal import Gatebook
internal import GatebookSystem

/// One visit of a scripted person, from page to page; it blocks its thread.
struct PortalWalk: Sendable {
  private static let stepLimit = 20

  let name: String
  let password: String
  let decision: String
  let cookies: Guarded<PlainCookies>

  /// Goes from a URL to the end.
  func result(
    of url: String, opensRedirect: Bool
  ) -> Result<PortalVisitor.Ending, GatebookError> {
    do {
      let ending = try walk(from: url)
      if opensRedirect, case .redirected(let target) = ending, let place = PlainPlace(target) {
        _ = try ask(place, cookies: nil)
      }
      return .success(ending)
    } catch {
      return .failure(error)
    }
  }

  private func walk(from url: String) throws(GatebookError) -> PortalVisitor.Ending {
    guard let start = PlainPlace(url) else {
      throw GatebookError(
        .configurationInvalid, "The visitor opens nothing but plain HTTP on loopback.",
        remedy: "Give it the URL of a page of a fake portal.")
    }
    var answer = try ask(start, cookies: cookies)
    var hasLoggedIn = false
    for _ in 0..<Self.stepLimit {
      if let location = answer["Location"] {
        guard let next = start.resolve(location) else { return .redirected(location) }
        answer = try ask(next, cookies: cookies)
        continue
      }
      guard answer.status == 200, let form = PlainForm(answer.text),
        let action = start.resolve(form.action)
      else { return ending(on: answer) }
      if form.hasField("password") {
        guard !hasLoggedIn else { return .loginRefused }
        hasLoggedIn = true
        let body = form.filled(["login": name, "password": password])
        answer = try ask(action, cookies: cookies, body: body)
      } else {
        answer = try ask(action, cookies: cookies, body: form.filled(["decision": decision]))
      }
    }
    throw GatebookError(
      .contentUnexpected, "The portal's pages do not end.",
      remedy: "See in the portal's log where they go in circles.")
  }

  private func ending(on answer: PlainAnswer) -> PortalVisitor.Ending {
    let mark = "<p id=\"verifier\">"
    guard let start = answer.text.firstRange(of: mark)?.upperBound else {
      return .page(status: answer.status)
    }
    return .verifier(PlainForm.unescaped(String(answer.text[start...].prefix { $0 != "<" })))
  }

  private func ask(
    _ place: PlainPlace, cookies: Guarded<PlainCookies>?, body: String? = nil
  ) throws(GatebookError) -> PlainAnswer {
    var fields: LoopbackFields = [:]
    if let text = cookies?.withLock({ $0.field }) { fields.append("Cookie", text) }
    if body != nil { fields.append("Content-Type", "application/x-www-form-urlencoded") }
    let method = body == nil ? "GET" : "POST"
    guard let answer = place.ask(method, fields, body: body ?? "") else {
      throw GatebookError(
        .networkUnreachable, "Nobody answered on port \(place.port), or not to the end.",
        remedy: "Start the portal before the visit.")
    }
    cookies?.withLock { $0.take(from: answer) }
    return answer
  }
}
