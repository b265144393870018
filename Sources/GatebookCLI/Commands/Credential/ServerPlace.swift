internal import Gatebook
internal import GatebookSystem

/// A server as programs name it: a URL, or a host with or without a port.
struct ServerPlace: Equatable, Sendable {
  /// The URLs that it may mean; a host without a scheme means `https` first.
  let urls: [HTTPURL]
  /// Whether it says how the server is reached: by `https` or `http`.
  let hasScheme: Bool
  /// The user name in it; `nil` for none.
  let user: String?

  /// Reads it; `nil` for another scheme than `http` and `https`, and for what is no server.
  init?(_ text: String) {
    let mark = text.firstRange(of: "://")
    hasScheme = mark != nil
    guard let mark else {
      urls = ["https", "http"].compactMap { HTTPURL("\($0)://\(text)") }
      user = nil
      guard !urls.isEmpty else { return nil }
      return
    }
    let rest = text[mark.upperBound...]
    let authority = rest.prefix { !"/?#".contains($0) }
    let at = authority.lastIndex(of: "@")
    let host = at.map { rest[rest.index(after: $0)...] } ?? rest
    guard let url = HTTPURL("\(text[..<mark.lowerBound])://\(host)") else { return nil }
    urls = [url]
    let named = at.map { authority[..<$0].prefix { $0 != ":" } }
    guard let named else {
      user = nil
      return
    }
    guard let user = PercentEncoding.decoded(named) else { return nil }
    self.user = user
  }

  /// The servers as a whole, without the paths.
  var origins: [HTTPURL] { urls.compactMap { HTTPURL("\($0.origin)/") } }
}
