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
