internal import Gatebook

/// A redirect to another server, which is where no credentials go.
struct UnfollowedRedirect: Hashable, Sendable {
  /// One sentence for people.
  ///
  /// It names the other server and nothing else of the address: a path or a query may hold a token.
  let text: String

  /// Looks for one; `nil` when the answer does not lead to another server.
  ///
  /// - Parameters:
  ///   - reply: The last answer.
  ///   - url: What was asked for.
  init?(_ reply: HTTPReply, to url: HTTPURL) {
    guard (300...399).contains(reply.status), let location = reply.fields.first("Location")
    else { return nil }
    let target = url.resolve(location)?.origin
    guard target != url.origin else { return nil }
    let place = target.map { "\($0)" } ?? "an address that is none of the web"
    text = "The server redirects (\(reply.status)) to \(place): that was not followed."
  }
}
