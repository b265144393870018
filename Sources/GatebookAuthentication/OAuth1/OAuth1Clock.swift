package import GatebookEvents

/// What is known of a server's clock: a server refuses timestamps that are far from its own.
package struct OAuth1Clock: Hashable, Sendable {
  /// How far the server's clock may seem wrong before a bare refusal is put down to it.
  ///
  /// `Date` is cut to seconds and an answer takes its time; windows of servers are minutes wide.
  static let noticeable: Int64 = 30

  /// How many seconds the server's clock is fast; negative if it is slow.
  ///
  /// 0: it is taken to be like this machine's.
  package var offset: Int64 = 0

  /// The server's time in seconds since 1970 UTC.
  ///
  /// RFC 5849 section 3.3: "The timestamp value MUST be a positive integer".
  package func seconds(at now: Timestamp) -> Int64 {
    let (sum, overflow) = Self.seconds(now).addingReportingOverflow(offset)
    return overflow ? 1 : max(1, sum)
  }

  /// This machine's time when the server's clock shows these seconds.
  package func local(_ seconds: Int64) -> Timestamp {
    let (rest, overflow) = seconds.subtractingReportingOverflow(offset)
    return Timestamp(rawValue: 0) + .seconds(overflow ? seconds : rest)
  }

  /// The clock that an answer's `Date` shows; `nil` without a valid one.
  package func corrected(by reply: HTTPReply, at now: Timestamp) -> OAuth1Clock? {
    reply.date(at: now).map { OAuth1Clock(offset: Self.seconds($0) - Self.seconds(now)) }
  }

  /// The clock to sign again with, once, if an answer refused the timestamp.
  ///
  /// Servers say so by `timestamp_refused`, or by a bare 400; the latter can mean anything, so it
  /// counts only if the server's clock is far from the signing clock.
  package func afterRefusal(_ reply: HTTPReply, at now: Timestamp) -> OAuth1Clock? {
    guard let clock = corrected(by: reply, at: now), clock != self else { return nil }
    switch OAuth1Problem(reply)?.code {
    case OAuth1Problem.timestampRefused: return clock
    case nil where reply.status == 400:
      return (clock.offset - offset).magnitude >= Self.noticeable.magnitude ? clock : nil
    default: return nil
    }
  }

  /// Whole seconds, also before 1970.
  private static func seconds(_ moment: Timestamp) -> Int64 {
    let (quotient, rest) = moment.rawValue.quotientAndRemainder(dividingBy: 1_000_000)
    return rest < 0 ? quotient - 1 : quotient
  }
}

/// As its offset in seconds.
extension OAuth1Clock: Storable {
  package init?(record: Int64) { self.init(offset: record) }
  package var record: Int64 { offset }
}

/// What makes each OAuth 1.0a request one of its own (RFC 5849 section 3.3).
package struct OAuth1Stamp: Hashable, Sendable {
  /// Seconds since 1970 UTC by the server's clock; positive.
  package var timestamp: Int64
  /// Never used twice.
  package var nonce: String
}

extension OAuth1Stamp {
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
