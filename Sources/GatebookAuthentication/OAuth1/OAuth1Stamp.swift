package import GatebookEvents

/// What makes each OAuth 1.0a request one of its own (RFC 5849 section 3.3).
package struct OAuth1Stamp: Hashable, Sendable {
  /// Seconds since 1970 UTC by the server's clock; positive.
  package var timestamp: Int64
  /// Never used twice.
  package var nonce: String

  /// Makes a stamp from its parts.
  package init(timestamp: Int64, nonce: String) {
    self.timestamp = timestamp
    self.nonce = nonce
  }

  /// The stamp of a request that is sent now.
  ///
  /// - Parameters:
  ///   - clock: What is known of the server's clock.
  ///   - now: This machine's clock.
  ///   - random: Fresh random bytes, 16 or more; the first 16 make the nonce.
  package init(clock: OAuth1Clock, at now: Timestamp, random: some Collection<UInt8>) {
    precondition(random.count >= 16, "A nonce is made of 16 random bytes.")
    timestamp = clock.seconds(at: now)
    nonce = Hex.encode(random.prefix(16))
  }

  /// The timestamp of an `Authorization` field that a signer here wrote; `nil` for any other.
  static func timestamp(in field: String) -> Int64? {
    let mark = Array(", oauth_timestamp=\"".utf8)
    let bytes = Array(field.utf8)
    guard field.utf8.starts(with: "OAuth ".utf8),
      let start = bytes.indices.first(where: { bytes[$0...].starts(with: mark) })
    else { return nil }
    return Int64(bytes[(start + mark.count)...].prefix { $0.isDigit }.text)
  }
}
