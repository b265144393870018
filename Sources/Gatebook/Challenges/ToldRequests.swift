/// What servers were sent in a conversation and have answered: they may echo it.
struct ToldRequests: Sendable {
  /// So many are kept, the last ones: no login of a protocol takes more.
  private static let most = 16

  private var requests: [HTTPRequest] = []

  /// Takes a request that has an answer.
  mutating func note(_ request: HTTPRequest) {
    // Who waits for a person asks the same again and again.
    guard requests.last != request else { return }
    if requests.count == Self.most { requests.removeFirst() }
    requests.append(request)
  }

  /// Which of a server's words repeat something that it was told in confidence.
  func echoes(among words: [String]) -> Set<String> {
    HTTPRequest.echoes(among: words, of: requests)
  }
}
