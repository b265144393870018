/// The connection of a communication client to its gateway: when to connect, when to try again, and
/// when to stop.
///
/// A pure value: the app passes in what happened and when, and does what it returns. It neither
/// connects nor waits, so a test needs no time.
///
/// ```swift
/// var connection = GatewayConnection()
/// for output in connection.next(.reachable(true), at: clock.now()) {
///   switch output {
///   case .connect: client.start()
///   case .wait(let moment): timer.fire(at: moment)          // then: next(.timer, at:)
///   case .didLoseConnection: try await book.gatewayConnectionLost(session)
///   case .didEndSession: try await book.gatewaySessionRevoked(session)
///   case .didReestablishConnection: try await book.gatewayConnected(session)
///   case .willRetryConnection(let attempt, let delay): show(attempt, delay)
///   case .logInAgain: …                                     // then: next(.loggedIn, at:)
///   }
/// }
/// ```
///
/// ```
/// idle       --start, reachable---------------> connecting  connect, wait(start limit)
/// idle       --start, unreachable-------------> paused
/// paused     --reachable----------------------> connecting  (announced unless it is the first)
/// connecting --connected----------------------> connected   didReestablishConnection after a retry
/// connecting --dropped, failedToStart, timer--> waiting     willRetryConnection, wait(delay)
/// connecting --the same at the last try-------> lost        didLoseConnection
/// connecting --unreachable--------------------> paused      the same try again later
/// connected  --dropped, reachable-------------> waiting     willRetryConnection(1, 0.5 s), wait
/// connected  --dropped, unreachable-----------> paused
/// waiting    --timer--------------------------> connecting  connect, wait(start limit)
/// waiting    --connected----------------------> connected   didReestablishConnection
/// waiting    --unreachable--------------------> paused
/// any of these and lost --systemFailure-------> ended       didEndSession, and perhaps logInAgain
/// lost       --start--------------------------> as from idle
/// lost, ended --loggedIn----------------------> as from idle
/// any        --stop---------------------------> idle
/// ```
///
/// `interfaceChanged` is unreachable, then reachable. Inputs that no line names change nothing. A
/// failed start is a failure of the connection, never a rejected login.
///
/// Source: FCSDK for iOS, "Network reachability" and "Reconnection".
public struct GatewayConnection: Hashable, Sendable {
  /// Times and limits.
  public struct Settings: Hashable, Sendable {
    /// The pause before each attempt after a drop; there are as many attempts as pauses.
    public var delays: [Duration] =
      [.milliseconds(500), .seconds(1), .seconds(2)] + Array(repeating: .seconds(4), count: 4)
    /// How long a connection attempt may take.
    public var startLimit: Duration = .seconds(7)
    /// Whether the app may log in again automatically when the gateway ended the session.
    public var logsInAgain = false
    /// The maximum number of such logins in a row.
    public var maximumLogins = 2
    /// The minimum time between two such logins; a connection that lasted that long ends a row.
    public var loginPause: Duration = .seconds(30)

    /// Makes the defaults: 0.5, 1, 2, 4, 4, 4, 4 s; no automatic login.
    public init() {}
  }

  /// What happened.
  public enum Input: Hashable, Sendable {
    /// The app wants the connection.
    case start
    /// Whether there is a network; the first attempt needs `true`.
    case reachable(Bool)
    /// Another network: the old connection is unusable.
    case interfaceChanged
    /// The client is connected.
    case connected
    /// The connection broke.
    case dropped
    /// The connection could not be made.
    case failedToStart
    /// The gateway reported a failure of its own: the session has ended.
    case systemFailure
    /// The moment of the last ``Output/wait(until:)`` has come.
    case timer
    /// There is a new session.
    case loggedIn
    /// The login that was asked for failed.
    case loginFailed
    /// The app no longer wants the connection.
    case stop
  }

  /// What to do, in this order.
  public enum Output: Hashable, Sendable {
    /// Start the communication client.
    case connect
    /// Tell the user that the next attempt follows after a delay; zero: now.
    case willRetryConnection(attempt: Int, delay: Duration)
    /// The connection is back.
    case didReestablishConnection
    /// The last attempt failed: the connection has ended, and the session is uncertain.
    case didLoseConnection
    /// The gateway ended the session: only a login helps.
    case didEndSession
    /// Log in with the saved password, then pass ``Input/loggedIn`` or ``Input/loginFailed``.
    case logInAgain
    /// Pass ``Input/timer`` at that time; this replaces the previous wait.
    case wait(until: Moment)
  }

  /// Its state, as far as an app may want to show it.
  public enum State: String, Sendable {
    /// Not wanted.
    case idle
    /// Waits for the network.
    case paused
    /// Waits for its next attempt.
    case waiting
    /// Tries to connect.
    case connecting
    /// Connected.
    case connected
    /// Ended after the last attempt.
    case lost
    /// The session has ended.
    case ended
  }

  /// Times and limits.
  public let settings: Settings
  /// Its state.
  public private(set) var state = State.idle
  /// The current or next attempt after a drop; 0 for the first connection and while connected.
  public private(set) var attempt = 0
  private var isReachable = false
  private var deadline: Moment?
  private var connectedAt: Moment?
  private var logins = LoginRow()

  /// Automatic logins in a row.
  private struct LoginRow: Hashable {
    var count = 0
    var last: Moment?
    /// Whether one is wanted, and waits for its time or the network.
    var isDue = false
    /// Whether one is under way.
    var isRunning = false

    /// The app no longer wants one.
    mutating func rest() { (isDue, isRunning) = (false, false) }
  }

  /// Makes a connection that is not wanted yet, with the network not known to be reachable.
  public init(_ settings: Settings = Settings()) {
    self.settings = settings
  }

  /// Takes one input and says what to do.
  ///
  /// - Parameters:
  ///   - input: What happened.
  ///   - moment: When; the boot clock counts.
  /// - Returns: What to do, in this order; often nothing.
  public mutating func next(_ input: Input, at moment: Moment) -> [Output] {
    switch input {
    case .start: state == .idle || state == .lost ? begin(at: moment) : []
    case .reachable(true): becomeReachable(at: moment)
    case .reachable(false): becomeUnreachable()
    case .interfaceChanged: becomeUnreachable() + becomeReachable(at: moment)
    case .connected: connect(at: moment)
    case .dropped: state == .connected || state == .connecting ? fail(at: moment) : []
    case .failedToStart: state == .connecting ? fail(at: moment) : []
    case .systemFailure: endSession(at: moment)
    case .timer: fire(at: moment)
    case .loggedIn: takeLogin(at: moment)
    case .loginFailed: refuseLogin()
    case .stop: stop()
    }
  }

  private mutating func begin(at moment: Moment) -> [Output] {
    attempt = 0
    return tryNow(at: moment)
  }

  /// Connects, or waits for the network.
  private mutating func tryNow(at moment: Moment) -> [Output] {
    guard isReachable else {
      enter(.paused)
      return []
    }
    enter(.connecting)
    return [.connect, wait(settings.startLimit, from: moment)]
  }

  private mutating func becomeReachable(at moment: Moment) -> [Output] {
    isReachable = true
    switch state {
    case .paused:
      let news: [Output] =
        attempt == 0 ? [] : [.willRetryConnection(attempt: attempt, delay: .zero)]
      return news + tryNow(at: moment)
    case .ended: return logInAgain(at: moment)
    case .idle, .waiting, .connecting, .connected, .lost: return []
    }
  }

  private mutating func becomeUnreachable() -> [Output] {
    isReachable = false
    if state == .waiting || state == .connecting { enter(.paused) }
    return []
  }

  private mutating func connect(at moment: Moment) -> [Output] {
    switch state {
    case .connecting, .waiting, .paused:
      let isBack = attempt > 0
      enter(.connected)
      attempt = 0
      connectedAt = moment
      return isBack ? [.didReestablishConnection] : []
    case .idle, .connected, .lost, .ended: return []
    }
  }

  /// A connection broke or did not come about.
  private mutating func fail(at moment: Moment) -> [Output] {
    endRow(at: moment)
    // The last try was the last one: starting once more would be a connection nobody announced.
    guard attempt < settings.delays.count else {
      enter(.lost)
      return [.didLoseConnection]
    }
    attempt += 1
    guard isReachable else {
      enter(.paused)
      return []
    }
    let delay = settings.delays[attempt - 1]
    enter(.waiting)
    return [.willRetryConnection(attempt: attempt, delay: delay), wait(delay, from: moment)]
  }

  private mutating func fire(at moment: Moment) -> [Output] {
    guard let deadline else { return [] }
    guard moment.boot >= deadline.boot else { return [.wait(until: deadline)] }
    self.deadline = nil
    switch state {
    case .waiting: return tryNow(at: moment)
    case .connecting: return fail(at: moment)
    case .ended: return logInAgain(at: moment)
    case .idle, .paused, .connected, .lost: return []
    }
  }

  private mutating func endSession(at moment: Moment) -> [Output] {
    guard state != .idle, state != .ended else { return [] }
    endRow(at: moment)
    enter(.ended)
    attempt = 0
    logins.isDue = settings.logsInAgain && logins.count < settings.maximumLogins
    return [.didEndSession] + logInAgain(at: moment)
  }

  /// Asks for the login that is due, once its time has come and there is a network.
  private mutating func logInAgain(at moment: Moment) -> [Output] {
    guard logins.isDue, isReachable else { return [] }
    if let last = logins.last, moment.boot < last.boot + settings.loginPause {
      return [wait(settings.loginPause - (moment.boot - last.boot), from: moment)]
    }
    logins = LoginRow(count: logins.count + 1, last: moment, isDue: false, isRunning: true)
    return [.logInAgain]
  }

  private mutating func takeLogin(at moment: Moment) -> [Output] {
    guard state == .ended || state == .lost else { return [] }
    // A person who logs in begins a new row.
    if !logins.isRunning { logins = LoginRow() }
    logins.rest()
    return begin(at: moment)
  }

  private mutating func refuseLogin() -> [Output] {
    // A refused password is not sent again automatically.
    logins.rest()
    return []
  }

  /// A connection that lasted long enough shows that the login before it helped.
  private mutating func endRow(at moment: Moment) {
    guard let connectedAt else { return }
    if moment.boot - connectedAt.boot >= settings.loginPause { logins.count = 0 }
    self.connectedAt = nil
  }

  private mutating func stop() -> [Output] {
    enter(.idle)
    attempt = 0
    connectedAt = nil
    logins.rest()
    return []
  }

  private mutating func enter(_ next: State) {
    state = next
    deadline = nil
  }

  private mutating func wait(_ delay: Duration, from moment: Moment) -> Output {
    let end = Moment(wall: moment.wall + delay, boot: moment.boot + delay)
    deadline = end
    return .wait(until: end)
  }
}
