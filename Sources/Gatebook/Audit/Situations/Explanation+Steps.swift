extension Explanation.Step {
  /// The step that one event is.
  init(_ event: RecordedEvent) {
    self.init(
      position: event.position, at: event.at, kind: event.kind, count: 1, sentence: event.sentence)
  }

  /// The end that time has brought and nobody has recorded.
  init(unrecordedAt end: Timestamp) {
    self.init(
      position: nil, at: end, kind: "session.expired", count: 1,
      sentence: "The session expired, and nothing had renewed it.")
  }

  /// The steps of events, where what happened again and again in the same way is one.
  ///
  /// - Parameters:
  ///   - events: The events.
  ///   - remarks: What is said beside what they tell themselves, by their positions.
  ///   - causes: Why sessions ended, by the positions of their ends.
  /// - Returns: The steps.
  static func steps(
    _ events: [RecordedEvent], _ remarks: [Position: Sentence] = [:],
    causes: [Position: Sentence] = [:]
  ) -> [Explanation.Step] {
    var fates: [SessionID: String] = [:]
    for event in events {
      guard let session = event.session, let fate = event.fateOfLogin else { continue }
      fates[session] = fate
    }
    var runs: [[Remarked]] = []
    for event in events {
      let next = Remarked(
        event: event, remark: remarks[event.position], cause: causes[event.position],
        fate: event.session.flatMap { fates[$0] })
      if runs.last?.last?.isLike(next) == true {
        runs[runs.count - 1].append(next)
      } else {
        runs.append([next])
      }
    }
    return joined(runs).map(step)
  }

  /// Joins what happened in turn, as trouble and the renewal that it put off, or the steps of a
  /// login: twice at least, for once may be a story.
  private static func joined(_ runs: [[Remarked]]) -> [[Remarked]] {
    var joined: [[Remarked]] = []
    var start = 0
    while start < runs.count {
      guard let (period, count) = turns(runs[start...]) else {
        joined.append(runs[start])
        start += 1
        continue
      }
      let end = start + period * count
      for first in end - period..<end {
        let turn = (first - start) % period
        joined.append(
          Array(stride(from: start + turn, to: end, by: period).flatMap { runs[$0] }))
      }
      start = end
    }
    return joined
  }

  /// Longer sequences, such as logins with several checks, are listed one by one.
  private static let longestTurn = 6

  /// How many runs make one turn at the beginning, and how often it comes; `nil` for once.
  private static func turns(
    _ runs: ArraySlice<[Remarked]>
  ) -> (period: Int, count: Int)? {
    for period in 2...longestTurn {
      var end = runs.startIndex + period
      while end < runs.endIndex, runs[end][0].isLike(runs[end - period][0]) { end += 1 }
      let count = (end - runs.startIndex) / period
      if count >= 2 { return (period, count) }
    }
    return nil
  }

  /// The step that several events of one kind are, the last of which stands for all.
  private static func step(_ run: [Remarked]) -> Explanation.Step {
    let last = run[run.count - 1]
    var step = Explanation.Step(last.event)
    if let cause = last.cause { step.sentence = last.event.endSentence(cause) }
    if let remark = last.remark { step.sentence = step.sentence + remark }
    guard run.count > 1 else { return step }
    step.count = Int64(run.count)
    if let use = use(of: run) {
      step.sentence = use
      return step
    }
    step.sentence =
      step.sentence
      + " This line covers \(step.count) such events, the first of them at \(run[0].event.at)."
    return step
  }
}

/// What programs sent through one proxy, where the events tell that: their counts are added up.
private func use(of run: [Remarked]) -> Sentence? {
  guard let last = run.last?.event, var sum = last.facts(of: ProxyUsed.self) else { return nil }
  for earlier in run.dropLast() {
    if let used = earlier.event.facts(of: ProxyUsed.self) { sum.use.add(used.use) }
  }
  return sum.sentence(last)
}

/// An event, and what is said beside what it tells itself.
private struct Remarked {
  let event: RecordedEvent
  let remark: Sentence?
  /// Why a session ended by it; `nil` where it says that itself.
  let cause: Sentence?
  /// How its login ended; `nil` if that is not among the steps.
  let fate: String?

  /// Whether both say the same to people.
  func isLike(_ other: Remarked) -> Bool {
    remark == other.remark && cause == other.cause && fate == other.fate
      && event.isLike(other.event)
  }
}

extension RecordedEvent {
  /// How a login ended, where it tells that.
  fileprivate var fateOfLogin: String? {
    isEnd && kind.hasPrefix("login.") ? "\(kind) \(failure.code?.rawValue ?? "")" : nil
  }

  /// Whether both say the same to people.
  fileprivate func isLike(_ other: RecordedEvent) -> Bool {
    kind == other.kind && Self.telling.allSatisfy { data[$0] == other.data[$0] }
      && (received?.interval == nil) == (other.received?.interval == nil)
      // Each run of a proxy is a story of its own.
      && (!(isKind(.proxyUsed) || isKind(.proxyEnded)) || cause == other.cause)
      // What a server demands is personal.
      && (!challenge.isStepUp || received?.demand(self) == other.received?.demand(other))
  }

  private var received: ChallengeReceived? { facts(of: ChallengeReceived.self) }

  /// The facts that sentences are made of, without numbers that differ each time.
  private static let telling = [
    "attempt", "by", "check", "code", "defects", "error", "evidence", "fault", "halted", "host",
    "idToken", "interactive", "jump", "method", "missing", "offset", "outbox", "partial", "port",
    "program", "proxy", "purpose", "reason", "remembered", "saved", "scheme", "scope", "server",
    "status",
    "trigger", "unanswered", "verdict",
  ]
}
