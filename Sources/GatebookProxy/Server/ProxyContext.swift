internal import Gatebook
internal import GatebookSystem

/// What the connections of a proxy share; on the proxy's thread only, except for ``news(of:)``.
final class ProxyContext {
  let limits: ProxyLimits
  let clock: any BookClock
  private let sender: ProxySettings.Send
  let remedies: [String: String]
  private let rules: ProxyRules
  private let route: ProxySettings.Route?
  private var rate: RateLimit?
  private let mail: ProxyMail
  private let heard: @Sendable (ProxyRefusal, AskingProgram?) -> Void
  private let heardUse: @Sendable (ProxyUse) -> Void
  private var use = UseLedger()
  private var processes = ConnectedProcesses()
  /// Whether no new request is taken.
  var isEnding = false
  /// How many requests are at the server.
  private(set) var underWay = 0

  init(_ settings: ProxySettings, _ mail: ProxyMail) {
    limits = settings.limits
    clock = settings.clock
    sender = settings.send
    remedies = settings.remedies.filter { $0.value.isFieldValue }
    rules = settings.rules
    route = settings.route
    rate = settings.rate
    heard = settings.refused
    heardUse = settings.used
    self.mail = mail
  }

  /// What goes to the server for a request; see ``ProxyRules/request(for:)``.
  func request(for head: RequestHead) throws(ProxyRefusal) -> HTTPRequest {
    var request: HTTPRequest
    if let route {
      request = try route(head)
    } else {
      request = try rules.request(for: head)
    }
    if rate?.takes(at: clock.now().boot) == false { throw .rate }
    request.limits.total = Self.silence
    request.limits.body = Self.refusalSize
    return request
  }

  /// Runs the requests' tasks on the proxy's thread.
  var executor: any TaskExecutor { mail }

  /// Sends requests for a program.
  func send(
    for program: AskingProgram?
  ) -> @Sendable (HTTPRequest) async throws(GatebookError) -> HTTPReply {
    { [sender] request throws(GatebookError) in try await sender(request, program) }
  }

  /// How long a server may be silent: as long as it may think about an answer.
  private static let silence = Duration.seconds(300)

  /// How large an answer may be that is not streamed: one of another status than 200 to 299.
  private static let refusalSize = 8 << 20

  /// Counts a request that goes to the server, if there is room for it.
  func begins(_ forwarding: Forwarding, of program: @autoclosure () -> AskingProgram?) -> Bool {
    guard underWay < limits.requests else { return false }
    use.forwards(program(), at: clock.now())
    forwarding.isUnderWay = true
    underWay += 1
    mail.count { $0.forwarded += 1 }
    return true
  }

  /// Makes room again: its answer is whole, or it was given up.
  func ended(_ forwarding: Forwarding) {
    guard forwarding.isUnderWay else { return }
    forwarding.isUnderWay = false
    underWay -= 1
  }

  /// Counts a request that is not forwarded.
  func refused(_ refusal: ProxyRefusal, _ program: AskingProgram?) {
    mail.count { $0.refused[refusal, default: 0] += 1 }
    use.refuses(program, at: clock.now())
    heard(refusal, program)
  }

  /// The program at the other side of a port's connection.
  func program(at socket: Int32) -> AskingProgram? {
    processes.owner(of: socket).map { AskingProgram($0) }
  }

  /// How many milliseconds the loop may wait where nothing else is to be done; below 0 without an
  /// end.
  var wait: Int32 {
    guard let due = use.due else { return -1 }
    return Int32(clamping: max(0, (due - clock.now().boot).components.seconds) * 1000 + 1000)
  }

  /// Hands out what is to be recorded by now of the proxy's use.
  func tellUse(at now: Duration) {
    if let due = use.due, due <= now { heardUse(use.take()) }
  }

  /// Leaves what was not handed out to the one who waits for the end.
  func endUse() {
    let rest = use.take()
    mail.count { $0.unrecorded = rest }
  }

  /// Wakes the proxy's thread for a connection; may be called from everywhere.
  func news(of socket: Int32) -> @Sendable () -> Void {
    let mail = mail
    return { mail.post(socket) }
  }
}
