/// When a session's secrets were asked for, by every clock that can tell how old they are.
///
/// Pure: the caller supplies the present time.
package struct LifeClock: Hashable, Sendable {
  /// The wall clock here when the request was sent that brought them.
  package var wall: Timestamp
  /// The boot clock at that moment, in microseconds.
  package var boot: Int64?
  /// Which start of the machine it counts from.
  package var bootID: BootID?
  /// How far the server's clock was from ours then, in microseconds.
  package var offset: Int64 = 0
  /// How far the wall clock here has been seen to jump since, in microseconds.
  package var jumped: Int64 = 0

  /// Whether a boot clock counts from the same start of the machine.
  private enum Boot {
    case same, other, unknown
  }

  package init(
    wall: Timestamp, boot: Int64? = nil, bootID: BootID? = nil, offset: Int64 = 0,
    jumped: Int64 = 0
  ) {
    self.wall = wall
    self.boot = boot
    self.bootID = bootID
    self.offset = offset
    self.jumped = jumped
  }

  /// How old the secrets are.
  ///
  /// Within one boot the boot clock counts: a wall clock that jumps neither ends nor prolongs a
  /// lifetime. After a restart the wall clock counts, corrected by the server's clock as it was
  /// seen then and since. The age is at least that of the machine's present boot. If it is unknown
  /// whether the machine was restarted, the clock counts that ends the lifetime earlier.
  ///
  /// - Parameters:
  ///   - now: Now.
  ///   - offset: How far the server's clock is from ours now, in microseconds.
  /// - Returns: Zero or more.
  package func age(at now: Moment, offset: Int64) -> Duration {
    let byWall = ageByWall(at: now, offset: offset)
    switch (startOfBoot(at: now), ageByBoot(at: now)) {
    case (.same, let age?): return age
    case (.other, _): return max(byWall, now.boot, .zero)
    case (.unknown, let age?): return max(byWall, age)
    case (_, nil): return max(byWall, .zero)
    }
  }

  /// How old the secrets are by the clock that makes them oldest: one that jumped too far makes a
  /// renewal early, which does no harm.
  package func oldestAge(at now: Moment, offset: Int64) -> Duration {
    max(age(at: now, offset: offset), ageByWall(at: now, offset: offset))
  }

  /// When the request was sent, by the wall clock as it is set now.
  ///
  /// A jump of that clock counts in whole seconds. Two clocks that are read one after the other
  /// would otherwise give another moment each time.
  ///
  /// - Parameters:
  ///   - now: Now.
  ///   - offset: How far the server's clock is from ours now, in microseconds.
  /// - Returns: That moment, the same at each call until a clock is set.
  package func sent(at now: Moment, offset: Int64) -> Timestamp {
    let shift = now.wall - age(at: now, offset: offset) - wall
    return wall + .seconds((shift / .seconds(1)).rounded())
  }

  /// How far the wall clock here has jumped since that moment, or since the jump that was seen
  /// last.
  ///
  /// - Returns: `nil` for less than is noticeable, and where the boot clock cannot tell.
  package func jump(at now: Moment) -> Duration? {
    // A machine that says that it has run for so long has a clock that counts from something else.
    guard now.boot < Self.longestRun, startOfBoot(at: now) == .same,
      let elapsed = ageByBoot(at: now)
    else { return nil }
    let jump = now.wall - wall - elapsed - .microseconds(jumped)
    return Self.isNoticeable(jump) ? jump : nil
  }

  private static let longestRun = Duration.seconds(20 * 365 * 86_400)

  /// Whether a difference between two clocks is more than rounding and the way of an answer.
  ///
  /// `Date` has whole seconds (RFC 9110 section 5.6.7).
  package static func isNoticeable(_ difference: Duration) -> Bool {
    !(.seconds(-5) ... .seconds(5)).contains(difference)
  }

  private func startOfBoot(at now: Moment) -> Boot {
    guard let boot else { return .unknown }
    if let bootID, let current = now.bootID { return bootID == current ? .same : .other }
    // A boot clock never goes back.
    return .microseconds(boot) > now.boot ? .other : .unknown
  }

  private func ageByBoot(at now: Moment) -> Duration? {
    boot.map { max(.zero, now.boot - .microseconds($0)) }
  }

  private func ageByWall(at now: Moment, offset: Int64) -> Duration {
    now.wall - wall + .microseconds(offset) - .microseconds(self.offset)
  }
}

extension LifeClock: FactsRecord {
  package static let blank = LifeClock(wall: .epoch)

  package mutating func code(with row: inout some FactsCoder) {
    row.code("boot", &boot)
    row.code("bootID", &bootID)
    row.code("jumped", &jumped, unless: 0)
    row.code("offset", &offset, unless: 0)
    row.code("wall", &wall)
  }
}

/// How long a session's tokens are valid: see "The life of a session" in "Event format".
package struct Life: Hashable, Sendable {
  /// The boot clock when the request was sent.
  package var boot: Duration?
  /// Which start of the machine that clock counts from.
  package var bootID: BootID?
  /// When the request was sent; `nil`: the event's own time.
  package var sent: Timestamp?
  /// How long from then on; `nil`: the server did not say.
  package var lifetime: Duration?
  /// The server's clock minus the own clock; `nil` for 0.
  package var offset: Duration?
  /// Whether anything but a login continues the session after its life.
  package var isRenewable = true

  package init() {}

  /// How long something is valid, as a sentence; empty where nobody said.
  static func sentence(_ lifetime: Duration?, of key: String) -> String {
    lifetime.map { " The \(key) is valid for \($0.words)." } ?? ""
  }
}
