/// The events that led to one: by their causes back to when all was well, and what else befell the
/// session on the way.
struct CauseChain {
  /// So many causes are followed at most: a chain has a few, and a book that was tampered with may
  /// have a circle.
  private static let longest = 64
  /// So many events of the account are read at a time.
  private static let page = 1024

  private let reader: BookReader
  private var events: [Position: RecordedEvent] = [:]
  /// What befell the account has begun, and nothing that was read since has ended it.
  private(set) var unended: [Position: RecordedEvent] = [:]
  /// Which logouts among those the servers are to be told of, by what waits for that.
  private var untold: [String: Position] = [:]
  /// The renewals that each process began, the last one last.
  private var renewals: [Int64: [Position]] = [:]
  /// A cause that is not in the log any more.
  var unknown: Position?

  init(_ reader: BookReader) {
    self.reader = reader
  }

  /// Everything that tells why an event happened, in the order of the book.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - isPresent: Whether also what came after it counts, and what has no end: for a state that
  ///     lasts.
  /// - Returns: The events, the asked one among them.
  /// - Throws: Storage failures.
  mutating func collect(
    to event: RecordedEvent, isPresent: Bool
  ) throws(GatebookError) -> [RecordedEvent] {
    let ground = try follow(event)
    try addLogin(of: ground)
    if event.isBeginning { begin(event) }
    if let account = event.account {
      try addCompany(
        of: account, after: ground.position, to: isPresent ? nil : event.position,
        ofLogin: ground.isKind(.loginStarted) ? ground.session : nil)
    } else if let session = event.session {
      try addCompany(in: session, to: event.position)
    }
    return events.values.sorted { $0.position < $1.position }
  }

  /// Everything that has befallen an account since an event that is not in the log any more, and
  /// what a recovery has found of the time before it.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - start: That event.
  /// - Returns: The events, in the order of the book.
  /// - Throws: Storage failures.
  mutating func collect(
    of account: AccountID, after start: Position
  ) throws(GatebookError) -> [RecordedEvent] {
    var before = EventFilter(account: account, limit: Self.page)
    before.upTo = start
    for event in try reader.events(before) where Self.tells(event) || Self.isBaseline(event) {
      try addCompany(event)
    }
    try addCompany(of: account, after: start, to: nil)
    let found = events.values.sorted { $0.position < $1.position }
    // A state that a recovery took over may be older than the log.
    guard let ground = found.lastIndex(where: Self.isBaseline) else { return found }
    try addBeginning(of: found[ground])
    return events.values.filter {
      $0.position >= found[ground].position || $0.position == found[ground].cause
    }.sorted { $0.position < $1.position }
  }

  /// Takes in a login that waits for the person, however long ago it began.
  mutating func add(waiting start: RecordedEvent) { unended[start.position] = start }

  /// Follows the causes.
  ///
  /// - Returns: Where it ends: all was well then, or nothing led to it.
  private mutating func follow(
    _ event: RecordedEvent
  ) throws(GatebookError) -> RecordedEvent {
    var last = event
    for _ in 1...Self.longest {
      events[last.position] = last
      if last.position != event.position, Self.isBaseline(last) {
        try addBeginning(of: last)
        break
      }
      // Why somebody wanted to log in is not in the log.
      if last.isKind(.loginStarted), !last.isSilent { break }
      guard let cause = last.cause, events[cause] == nil else { break }
      guard let next = try reader.event(at: cause) else {
        unknown = cause
        break
      }
      last = next
    }
    return last
  }

  /// Adds the login that the session began with.
  private mutating func addLogin(of event: RecordedEvent) throws(GatebookError) {
    guard let session = event.session, !event.isKind(.loginStarted) else { return }
    let logins = try reader.last(.loginSucceeded, of: event.account, in: session)
    for login in logins { try add(login) }
    guard logins.isEmpty, unknown == nil, let account = event.account,
      let state = try reader.state(of: account),
      // An ended session is not the state's any more.
      state.session == nil || state.session == session
    else { return }
    // The session is older than the log, which may have its login all the same.
    guard let login = try reader.event(at: state.person) else {
      unknown = state.person
      return
    }
    if login.session == session { try add(login) }
  }

  /// Adds a login and how it began.
  private mutating func add(_ login: RecordedEvent) throws(GatebookError) {
    events[login.position] = login
    guard let cause = login.cause else { return }
    if let start = try reader.event(at: cause) { events[cause] = start } else { unknown = cause }
  }

  /// Adds how what was granted had begun, where that is in the log.
  private mutating func addBeginning(of ground: RecordedEvent) throws(GatebookError) {
    guard let cause = ground.cause, events[cause] == nil else { return }
    guard let start = try reader.event(at: cause) else {
      unknown = unknown ?? cause
      return
    }
    if start.isBeginning { events[cause] = start }
  }

  /// Adds what befell a login without an account: certificates that were decided about, and what
  /// was asked.
  private mutating func addCompany(
    in session: SessionID, to end: Position
  ) throws(GatebookError) {
    let filter = EventFilter(session: session, limit: Self.page)
    for event in try reader.events(filter) where event.position < end && Self.tells(event) {
      events[event.position] = event
    }
  }

  /// Adds what befell the account meanwhile; of a login that ended the session before it, nothing
  /// that is said of that.
  private mutating func addCompany(
    of account: AccountID, after start: Position, to end: Position?, ofLogin login: SessionID? = nil
  ) throws(GatebookError) {
    // The events of its trouble are stored beside the state that a book continues.
    for event in try reader.eventsBesideState(of: account, after: start) {
      // Those of a recovered book are in its log too, which is read anyway.
      if let end, event.position > end { break }
      try take(event, ofLogin: login)
    }
    var filter = EventFilter(account: account, after: start, limit: Self.page)
    var pagesBehind = 0
    while true {
      let read = try reader.events(filter)
      for event in read {
        if let end, event.position > end {
          // It still may end what was begun before.
          settle(event)
        } else {
          try take(event, ofLogin: login)
        }
      }
      guard read.count == Self.page, let last = read.last else { break }
      if let end, last.position > end { pagesBehind += 1 }
      // An end follows soon, as a rule: what lies further on is not looked for, and nothing is said
      // of it.
      guard pagesBehind < 2 else {
        unended = [:]
        return
      }
      filter.after = last.position
    }
    if end == nil { events.merge(unended) { known, _ in known } }
  }

  /// Adds an event that tells, and keeps in mind what it begins or ends.
  private mutating func take(
    _ event: RecordedEvent, ofLogin login: SessionID?
  ) throws(GatebookError) {
    settle(event)
    if event.isBeginning { begin(event) }
    if tells(event, ofLogin: login) { try addCompany(event) }
  }

  /// Keeps in mind what an event begins.
  private mutating func begin(_ event: RecordedEvent) {
    unended[event.position] = event
    if let key = event.delivery.outbox { untold[key] = event.position }
    if event.isKind(.refreshStarted) {
      renewals[event.writer.process, default: []].append(event.position)
    }
  }

  /// Forgets what an event has ended.
  private mutating func settle(_ event: RecordedEvent) {
    if let key = event.delivery.outbox, let logout = untold[key] { unended[logout] = nil }
    guard event.isEnd else { return }
    if let cause = event.cause { unended[cause] = nil }
    // What was taken over is another renewal's: its own is the last that the same process began.
    guard event.isKind(.refreshAdopted) else { return }
    while let last = renewals[event.writer.process]?.popLast() {
      if unended.removeValue(forKey: last) != nil { break }
    }
  }

  /// Adds an event, and what it ended or belongs to: the beginning of a login, of a renewal that
  /// failed or whose answer is not known, or of a logout.
  private mutating func addCompany(_ event: RecordedEvent) throws(GatebookError) {
    events[event.position] = event
    guard let kind = event.kindOfBeginning, let cause = event.cause, events[cause] == nil,
      let start = try reader.event(at: cause), start.isKind(kind)
    else { return }
    events[cause] = start
  }

  private func tells(_ event: RecordedEvent, ofLogin login: SessionID?) -> Bool {
    // Of a session that a login took the place of, its renewals say nothing of the login.
    Self.tells(event) && !(login != nil && event.isPart(.renewal) && event.session != login)
  }

  private static func tells(_ event: RecordedEvent) -> Bool {
    event.isPart(.explanatory)
  }

  static func isBaseline(_ event: RecordedEvent) -> Bool {
    event.isPart(.baseline)
  }
}

extension RecordedEvent {
  /// The kind of event that is shown with it as its beginning; `nil` if it needs none.
  fileprivate var kindOfBeginning: EventKind? {
    isKind(.challengeReceived) && !asksPerson ? nil : EventKind(rawValue: kind)?.traits.start
  }
}
