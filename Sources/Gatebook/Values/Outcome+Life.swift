extension Outcome {
  /// How long the session lives by what came, and from when, as the event says it: the fold counts
  /// with that (rule 11).
  ///
  /// - Parameters:
  ///   - moment: Now.
  ///   - kept: How far the server's clock was known to be from ours, in microseconds.
  /// - Returns: The life.
  func recordedLife(at moment: Moment, kept: Int64 = 0) -> Life {
    let sent = self.sent ?? moment
    let offset = self.offset(kept: kept)
    var life = Life()
    life.boot = sent.boot
    life.bootID = sent.bootID
    life.lifetime = lifetime
    life.offset = offset == 0 ? nil : .microseconds(offset)
    // Who reads without a key must know it too.
    life.isRenewable = isRenewable
    life.sent = sent.wall
    return life
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
