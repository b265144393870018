extension Outcome {
  /// Tells in an event how long the session lives by what came, and from when: what the fold counts
  /// with (rule 11).
  ///
  /// - Parameters:
  ///   - data: The event's facts.
  ///   - moment: Now.
  ///   - kept: How far the server's clock was known to be from ours, in microseconds.
  func tellLife(in data: inout Facts, at moment: Moment, kept: Int64 = 0) {
    let sent = self.sent ?? moment
    let offset = self.offset(kept: kept)
    data["boot"] = .integer(sent.boot.microseconds)
    data["bootID"] = .optional(sent.bootID?.description)
    data["lifetime"] = .optional(lifetime?.microseconds)
    data["offset"] = offset == 0 ? nil : .integer(offset)
    // Whoever reads without a key must know it too.
    data["renewable"] = isRenewable ? nil : false
    data["sent"] = .integer(sent.wall.rawValue)
  }

  /// The life as the fold of that event counts it.
  func life(at moment: Moment, kept: Int64) -> LifeClock {
    let sent = self.sent ?? moment
    return LifeClock(
      wall: sent.wall, boot: sent.boot.microseconds, bootID: sent.bootID,
      offset: offset(kept: kept))
  }

  /// Whether a renewal makes the session live on; nothing has to where no end is known.
  var isRenewable: Bool { lifetime == nil || proof.renewal(jar: jar) != nil }

  /// How far the server's clock is from ours, in microseconds: what was known where no answer shows
  /// anything else.
  private func offset(kept: Int64) -> Int64 {
    guard let offset, LifeClock.isNoticeable(offset - .microseconds(kept)) else { return kept }
    return offset.microseconds
  }
}
