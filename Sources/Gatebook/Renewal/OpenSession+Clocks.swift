extension OpenSession {
  /// When the session was made or last renewed, by the clock that can tell (rule 11).
  func renewed(at now: Moment) -> Moment {
    now - (state.age(at: now) ?? max(.zero, now.wall - context.since))
  }

  /// When the session was made or last renewed, by the clock that makes it oldest.
  ///
  /// What is due by any clock is renewed: the machine may have slept in a way that its boot clock does
  /// not know, such as a virtual one that was kept on disk.
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
    var data: Facts = [:]
    if let jump = now.flatMap({ state.renewed?.jump(at: $0) }) {
      data["jump"] = .integer(jump.microseconds)
    }
    if let offset, LifeClock.isNoticeable(offset - .microseconds(state.offset)) {
      data["offset"] = .integer(offset.microseconds)
    }
    return data.isEmpty ? [] : [event(.clockObserved, data: data)]
  }

  /// Tells in an event that the session lives as long as it did before.
  func tellLife(in data: inout Facts) {
    guard let renewed = state.renewed else { return }
    data["boot"] = .optional(renewed.boot)
    data["bootID"] = .optional(renewed.bootID?.description)
    data["lifetime"] = .optional(state.expires.map { ($0 - renewed.wall).microseconds })
    data["offset"] = renewed.offset == 0 ? nil : .integer(renewed.offset)
    data["renewable"] = state.isRenewable || state.renewalEnd != nil ? nil : false
    data["sent"] = .integer(renewed.wall.rawValue)
  }

  /// What was observed of the clocks in that life: an event that tells of its beginning alone has the
  /// fold forget it.
  func clocksAgain(cause: ProposedEvent.Cause) -> [ProposedEvent] {
    guard let renewed = state.renewed else { return [] }
    var data: Facts = [:]
    if renewed.jumped != 0 { data["jump"] = .integer(renewed.jumped) }
    if state.offset != renewed.offset { data["offset"] = .integer(state.offset) }
    return data.isEmpty ? [] : [event(.clockObserved, cause: cause, data: data)]
  }
}
