internal import Gatebook

/// A redirect that was not followed: to another server, where no credentials go, or of a request that
/// does something.
struct UnfollowedRedirect: Hashable, Sendable {
  /// One sentence for people.
  ///
  /// It names the other server and nothing else of the address: a path or a query may hold a token.
  let text: String

  /// Looks for one; `nil` when the answer leads nowhere.
  ///
  /// - Parameters:
  ///   - reply: The last answer.
  ///   - request: What was asked for.
  init?(_ reply: HTTPReply, to request: HTTPRequest) {
    guard (300...399).contains(reply.status), let location = reply.fields.first("Location")
    else { return nil }
    let url = request.url
    let target = url.resolve(location)?.origin
    guard target != url.origin else {
      guard request.method != "GET", request.method != "HEAD" else { return nil }
      text =
        "The server redirects (\(reply.status)) within itself: of a \(request.method) that was not "
        + "followed."
      return
    }
    let place = target.map { "\($0)" } ?? "an address that is none of the web"
    text = "The server redirects (\(reply.status)) to \(place): that was not followed."
  }
}
