extension LoopbackFault {
  /// This status with an HTML page and, if given, `Retry-After` in seconds.
  public static func status(_ status: Int, retryAfter: Int? = nil) -> LoopbackFault {
    .answer { _ in
      let reply = PortalState.page.error(status, "The portal is in trouble, as it was told to be.")
      return retryAfter.map { reply.with("Retry-After", String($0)) } ?? reply
    }
  }

  /// An HTML page in place of whatever was expected, with status 200 unless given.
  public static func page(_ status: Int = 200) -> LoopbackFault {
    .answer { _ in PortalState.page.error(status, "A page that nobody asked for.") }
  }

  /// A redirect to another URL.
  public static func redirect(to location: String, status: Int = 302) -> LoopbackFault {
    .answer { _ in .redirect(to: location, status: status) }
  }

  /// A redirect to the URL that was asked; put it on a path for always.
  public static var redirectLoop: LoopbackFault {
    .answer { .redirect(to: $0.target) }
  }

  /// An answer of so many bytes that calls itself JSON; streamed, not held in memory.
  public static func huge(_ bytes: Int = 200 << 20) -> LoopbackFault {
    .answer { _ in .huge(bytes, type: "application/json;charset=UTF-8") }
  }

  /// More cookies than anybody should keep, on top of the right answer.
  ///
  /// - Parameters:
  ///   - count: How many cookies.
  ///   - bytes: The length of each value.
  /// - Returns: The fault.
  public static func cookieBomb(count: Int = 200, bytes: Int = 4096) -> LoopbackFault {
    let value = String(repeating: "x", count: bytes)
    return .alter { reply in
      (1...max(1, count)).reduce(reply) { $0.with("Set-Cookie", "BOMB_\($1)=\(value); Path=/") }
    }
  }
}
