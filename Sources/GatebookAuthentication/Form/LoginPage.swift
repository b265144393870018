/// The page to which a server sends those who are not logged in; learned, never configured.
struct LoginPage: Hashable, Sendable {
  /// Where the server redirected a caller without cookies.
  let url: HTTPURL
  private let queryDecides: Bool

  /// Makes the page from a redirect of the check URL.
  ///
  /// - Parameters:
  ///   - url: The target of the redirect.
  ///   - check: The check URL. Where both are one page that its query alone tells apart
  ///     (`/?page=login`), the query counts too.
  init(_ url: HTTPURL, learnedFrom check: HTTPURL) {
    self.url = url
    queryDecides = url.isSamePage(as: check)
  }

  /// Whether a redirect leads to the login page, also with other queries such as `?failed`.
  func isTarget(_ target: HTTPURL?) -> Bool {
    guard let target, target.isSamePage(as: url) else { return false }
    return !queryDecides || target.query == url.query
  }

  /// Whether a redirect only spells the check URL another way, such as with a last slash, or not
  /// even that: it leads to no login page.
  static func isSpelling(_ target: HTTPURL, of check: HTTPURL) -> Bool {
    target.origin.host == check.origin.host && target.query == check.query
      && [check.path, check.path + "/"].contains(target.path)
  }
}
