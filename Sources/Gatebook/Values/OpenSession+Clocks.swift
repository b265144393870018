extension OpenSession {
  /// When the session was made or last renewed, by the clock that can tell (rule 11).
  func renewed(at now: Moment) -> Moment {
    now - (state.age(at: now) ?? max(.zero, now.wall - context.since))
  }

  /// When the session was made or last renewed, by the clock that makes it oldest.
  ///
  /// What is due by any clock is renewed: the machine may have slept in a way that its boot clock
  /// does not know, such as a virtual one that was kept on disk.
  func oldestRenewed(at now: Moment) -> Moment {
    guard let clock = state.renewed else { return renewed(at: now) }
    return now - clock.oldestAge(at: now, offset: state.offset)
  }

  /// The events about clocks that are not what they were; none where nothing noticeable is new.
  ///
  /// - Parameters:
  ///   - now: Now; `nil` leaves the local clock out.
  ///   - offset: How far the server's clock is from ours; `nil` when no answer showed it.
  /// - Returns: At most one `clock.observed`, for the transaction of what observed it.
  func clockEvents(at now: Moment?, offset: Duration? = nil) -> [ProposedEvent] {
    var observed = ClockObserved()
    observed.jump = now.flatMap { state.renewed?.jump(at: $0) }
    if let offset, LifeClock.isNoticeable(offset - .microseconds(state.offset)) {
      observed.offset = offset
    }
    return observed == ClockObserved() ? [] : [event(observed)]
  }

  /// How long the session lives, as an event says it again.
  var life: Life {
    var life = Life()
    guard let renewed = state.renewed else { return life }
    life.boot = renewed.boot.map { .microseconds($0) }
    life.bootID = renewed.bootID
    life.lifetime = state.expires.map { $0 - renewed.wall }
    life.offset = renewed.offset == 0 ? nil : .microseconds(renewed.offset)
    life.isRenewable = state.isRenewable || state.renewalEnd != nil
    life.sent = renewed.wall
    return life
  }

  /// What was observed of the clocks in that life: an event that tells of its beginning alone has
  /// the fold forget it.
  func clocksAgain(cause: ProposedEvent.Cause) -> [ProposedEvent] {
    guard let renewed = state.renewed else { return [] }
    var observed = ClockObserved()
    if renewed.jumped != 0 { observed.jump = .microseconds(renewed.jumped) }
    if state.offset != renewed.offset { observed.offset = .microseconds(state.offset) }
    return observed == ClockObserved() ? [] : [event(observed, cause: cause)]
  }
}
