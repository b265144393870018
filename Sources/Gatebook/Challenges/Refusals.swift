/// How often what was sent for each protection space was refused, over all the tries of one request
/// or login.
///
/// It counts what a resolver gave, and what the method sent automatically: a renewed token that is
/// refused like the one before it has failed once.
struct Refusals: Sendable {
  /// Whom a credential is for (RFC 9110 section 11.5).
  ///
  /// One name and password may serve Basic and Digest; a token serves its scheme alone.
  private struct Space: Hashable {
    let server: Origin
    let realm: [UInt8]?
    let scheme: String?
  }

  private struct Count {
    var refused = 0
    /// The `Authorization` that was last refused; `nil` for none, and where another one was given.
    var last: String?
  }

  private var counts: [Space: Count] = [:]

  /// Takes the challenges of one answer: each counts for its space if the request had brought
  /// something else than the last one that was refused there.
  ///
  /// At first sight only a refusal of what was given for an earlier request counts (`isRefusal`).
  ///
  /// A stale nonce counts for nothing: "the previous request from the client was rejected because
  /// the nonce value was stale" (RFC 7616 section 3.3).
  mutating func meet(
    _ challenges: [AuthenticationChallenge], of server: Origin, with request: HTTPRequest,
    isRefusal: Bool
  ) {
    let sent = request.fields.first("Authorization")
    for (space, offered) in Dictionary(grouping: challenges, by: { Self.space($0, server) }) {
      guard var count = counts[space] else {
        counts[space] = Count(refused: isRefusal ? 1 : 0, last: sent)
        continue
      }
      guard let sent, !offered.contains(where: \.isStale) else { continue }
      if count.last.map({ !$0.utf8.elementsEqual(sent.utf8) }) ?? true { count.refused += 1 }
      count.last = sent
      counts[space] = count
    }
  }

  /// Notes that a challenge got an answer: the next refusal is one more, whatever it was.
  mutating func answer(_ challenge: AuthenticationChallenge, of server: Origin) {
    counts[Self.space(challenge, server)]?.last = nil
  }

  /// How many tries a challenge's space has refused.
  func count(of challenge: AuthenticationChallenge, by server: Origin) -> Int {
    counts[Self.space(challenge, server)]?.refused ?? 0
  }

  private static func space(_ challenge: AuthenticationChallenge, _ server: Origin) -> Space {
    Space(
      server: server, realm: challenge.realm.map { Array($0.utf8) },
      scheme: challenge.isAboutTokens ? challenge.scheme : nil)
  }
}
