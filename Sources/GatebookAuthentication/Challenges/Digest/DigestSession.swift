internal import GatebookCrypto
internal import GatebookEvents

/// What one challenge begins: answers with its nonces until the server sends another challenge.
struct DigestSession: Sendable {
  /// The challenge, with the nonce that is used next.
  private(set) var challenge: DigestChallenge
  /// Where answers go without being asked for.
  let space: DigestSpace
  private let user: String
  /// HA1 as the responses use it.
  private let key: Secret
  /// The client nonce that is part of the key; `nil` where each request takes a new one.
  private let sessionNonce: String?

  /// Begins a session.
  ///
  /// With a `-sess` algorithm all its requests use the client nonce of the first one, as the key
  /// does (section 3.4.2): a server that hashes each request's own value gets the same key.
  init(
    _ challenge: DigestChallenge, at server: Origin, user: String, key: DigestKey,
    random: [UInt8]
  ) {
    self.challenge = challenge
    self.user = user
    space = DigestSpace(challenge, at: server)
    guard challenge.algorithm.isSession else {
      sessionNonce = nil
      self.key = key.digits
      return
    }
    let clientNonce = Self.clientNonce(random)
    sessionNonce = clientNonce
    self.key = key.session(nonce: challenge.nonce, clientNonce: clientNonce)
  }

  /// The answer for a request; `nil` when the nonce is used up.
  func answer(
    _ request: HTTPRequest, counts: inout NonceCounts, random: [UInt8]
  ) -> DigestAnswer? {
    counts.take(challenge.nonce).map { count in
      DigestAnswer(
        challenge, to: request, user: user, key: key, count: count,
        clientNonce: sessionNonce ?? Self.clientNonce(random))
    }
  }

  /// Continues with the nonce that a reply announced.
  ///
  /// Only when the reply's request used the present nonce: a late reply to an earlier one announces
  /// what may be out of date already.
  mutating func goOn(with nonce: String, after answer: DigestAnswer) {
    guard !nonce.isEmpty, answer.challenge.nonce.utf8.elementsEqual(challenge.nonce.utf8) else {
      return
    }
    challenge.nonce = nonce
  }

  /// Whether a challenge is the one that this session began with: concurrent requests may all be
  /// challenged with the same nonce.
  func isBegun(by other: DigestChallenge) -> Bool {
    other.nonce.utf8.elementsEqual(challenge.nonce.utf8)
      && other.realm.utf8.elementsEqual(challenge.realm.utf8)
      && other.algorithm == challenge.algorithm && other.quality == challenge.quality
      && other.opaque == challenge.opaque && other.hashesUser == challenge.hashesUser
  }

  /// 128 random bits (section 3.4, `cnonce`; section 5.4 on chosen plaintext).
  private static func clientNonce(_ random: [UInt8]) -> String {
    precondition(random.count >= 16, "A client nonce needs 16 random bytes.")
    return Hex.encode(random.prefix(16))
  }
}

/// How often each of a server's nonces was used: no count is given out twice.
///
/// RFC 7616 section 3.4, `nc`: "the hexadecimal count of the number of requests (including the
/// current request) that the client has sent with the nonce value in this request". A server may
/// come back to a nonce, so the latest ones are remembered beyond their use.
struct NonceCounts: Sendable {
  private static let maximumCount = 16

  private struct Use {
    let nonce: String
    var count: UInt32
  }

  /// The latest last.
  private var uses: [Use] = []

  /// The next count of a nonce, from 1; `nil` when all 32 bits are used up.
  mutating func take(_ nonce: String) -> UInt32? {
    let known = uses.firstIndex { $0.nonce.utf8.elementsEqual(nonce.utf8) }
    var use = known.map { uses.remove(at: $0) } ?? Use(nonce: nonce, count: 0)
    defer { uses.append(use) }
    guard use.count < .max else { return nil }
    use.count += 1
    if uses.count >= Self.maximumCount { uses.removeFirst() }
    return use.count
  }
}
