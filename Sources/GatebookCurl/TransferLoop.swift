internal import CCurl
internal import GatebookAuthentication
internal import GatebookEvents
internal import GatebookSystem

/// Drives the transfers of one transport on a thread of its own.
///
/// A thread takes requests from the queue until the transport is gone or nothing was asked for a
/// while; it shares nothing but the queue with the transport.
final class TransferLoop {
  private let queue: AskQueue
  private let settings: CurlSettings
  private let library: CurlLibrary
  private let multi: UnsafeMutableRawPointer
  private let bell: Bell
  private let sockets: TransferSockets
  private var pools: ConnectionPools
  private var live: [UnsafeMutableRawPointer: Transfer] = [:]
  /// Those of them that have to be asked again and again: their bodies are streamed.
  private var streaming: [UnsafeMutableRawPointer: Transfer] = [:]
  /// No transfer's time is over before that.
  private var firstDeadline: SuspendingClock.Instant?
  /// How many idle connections each route keeps.
  private var kept: Int
  private var lastActivity = SuspendingClock.now

  private init(_ queue: AskQueue, _ settings: CurlSettings) throws(GatebookError) {
    let library = try CurlLibrary.open(settings.library)
    guard let multi = library.functions.pointee.curl_multi_init() else {
      throw GatebookError(
        .configurationInvalid, "libcurl could not be started.", kept: GatebookError.sessionKept,
        remedy: "Free memory, then try again.")
    }
    guard let bell = Bell(), let sockets = TransferSockets(library, multi, bell) else {
      _ = library.functions.pointee.curl_multi_cleanup(multi)
      throw GatebookError(
        .limitExceeded, "This machine has no free file descriptor for a request.",
        kept: GatebookError.sessionKept, remedy: "End other programs, then try again.")
    }
    self.queue = queue
    self.settings = settings
    self.library = library
    self.multi = multi
    self.bell = bell
    self.sockets = sockets
    kept = settings.connections
    pools = ConnectionPools(limit: settings.pools)
    _ = curl_multi_set_long(
      library.functions, multi, CURLMOPT_MAXCONNECTS, settings.connections)
  }

  deinit {
    (live, streaming) = ([:], [:])
    pools.removeAll()
    _ = library.functions.pointee.curl_multi_cleanup(multi)
  }

  /// Serves a queue on the calling thread until it ends.
  static func serve(_ queue: AskQueue, _ settings: CurlSettings) {
    do throws(GatebookError) {
      try TransferLoop(queue, settings).run()
    } catch {
      queue.leave { _ in TransportFailure(error, delivery: .notSent) }
    }
  }

  private func run() {
    queue.attend(bell)
    while true {
      let letters = queue.take()
      if !letters.isEmpty || !live.isEmpty {
        lastActivity = .now
      }
      letters.waiting.forEach(begin)
      letters.withdrawn.forEach(withdraw)
      guard !letters.isStopped else { return end { .cancelled($0, $1) } }
      guard perform() else {
        // libcurl reported an error of its own.
        let status = library.status(CURLE_RECV_ERROR)
        return end { status.failure($0, $1) }
      }
      if live.isEmpty, lastActivity.duration(to: .now) >= settings.quiet, queue.leaveIfEmpty() {
        return
      }
    }
  }

  // MARK: One turn

  private func begin(_ ask: Ask) {
    let origin = ask.request.url.origin
    guard !ask.isWithdrawn else { return ask.answer(.failure(.cancelled(origin, .notSent))) }
    do throws(GatebookError) {
      try ask.request.source?.start()
    } catch {
      return ask.answer(.failure(TransportFailure(error, delivery: .notSent)))
    }
    do throws(CurlStatus) {
      let pool = try pools.pool(for: ask.route, library)
      let transfer = try Transfer(ask, pool, library, settings.proxy)
      try transfer.configure()
      guard library.functions.pointee.curl_multi_add_handle(multi, transfer.easy) == CURLM_OK else {
        throw library.status(CURLE_FAILED_INIT)
      }
      live[transfer.easy] = transfer
      keepConnections()
      firstDeadline = min(firstDeadline ?? transfer.deadline, transfer.deadline)
      guard ask.request.source != nil || ask.request.sink != nil else { return }
      streaming[transfer.easy] = transfer
      for bell in [ask.request.source?.bell, ask.request.sink?.bell] {
        bell?.hear { [queue] in queue.ring() }
      }
    } catch {
      ask.answer(.failure(error.failure(origin, .notSent)))
    }
  }

  /// Keeps as many idle connections of each route as there were requests at once: else each of
  /// them would close its connection, and the next one open another.
  private func keepConnections() {
    guard live.count > kept, live.count <= Self.mostKept else { return }
    kept = live.count
    _ = curl_multi_set_long(library.functions, multi, CURLMOPT_MAXCONNECTS, kept)
  }

  /// How many they are at most, unless the settings say more.
  private static let mostKept = 32

  private func withdraw(_ ask: Ask) {
    guard let transfer = live.values.first(where: { $0.ask === ask }) else { return }
    finish(transfer, .failure(.cancelled(ask.request.url.origin, transfer.delivery)))
  }

  /// Moves all transfers on, answers those that ended, and waits for the next event; says whether
  /// libcurl is still in order.
  private func perform() -> Bool {
    let now = SuspendingClock.now
    moveStreams(at: now)
    let overdue = takeOverdue(at: now)
    guard overdue.isEmpty || end(overdue), startDue() else { return false }
    return advance(atMost: queue.fallsAsleep() ? patience : 0)
  }

  /// Asks sources and sinks again, and gives prompt sinks what has come.
  private func moveStreams(at now: SuspendingClock.Instant) {
    var broken: [Transfer] = []
    for transfer in streaming.values {
      if transfer.isWaiting || transfer.isHeld { transfer.resume() }
      if transfer.isHeldBack, !transfer.handOn(at: now) { broken.append(transfer) }
    }
    for transfer in broken { finish(transfer, transfer.answer(CURLE_WRITE_ERROR)) }
  }

  /// The transfers whose time is over.
  private func takeOverdue(at now: SuspendingClock.Instant) -> [Transfer] {
    guard let first = firstDeadline, first <= now else { return [] }
    let overdue = live.values.filter { $0.deadline <= now }
    // A deadline only moves away.
    firstDeadline = live.values.lazy.map(\.deadline).filter { $0 > now }.min()
    return overdue
  }

  /// Ends transfers whose time is over; says whether libcurl is still in order.
  private func end(_ overdue: [Transfer]) -> Bool {
    // What has not left by then never leaves: its time is over before it could be answered.
    for transfer in overdue where !transfer.hasBegun {
      finish(transfer, transfer.answer(CURLE_OPERATION_TIMEDOUT))
    }
    guard advance(atMost: 0) else { return false }
    for transfer in overdue where transfer.hasBegun {
      // A process that was stopped, or a machine that was busy, may have an answer that came in
      // time: what is there is read to its end, for what it brings may be good for one use.
      while live[transfer.easy] === transfer {
        let count = transfer.reader.count
        guard advance(atMost: 0) else { return false }
        guard live[transfer.easy] === transfer, transfer.reader.count == count else { continue }
        finish(transfer, transfer.answer(CURLE_OPERATION_TIMEDOUT))
      }
    }
    return true
  }

  /// Waits for the next event, moves transfers on with what is there, and answers those that ended;
  /// says whether libcurl is still in order.
  private func advance(atMost milliseconds: CInt) -> Bool {
    guard sockets.turn(atMost: milliseconds) else { return false }
    collect()
    return true
  }

  /// Lets libcurl do what it wanted to do by now: what was just begun leaves.
  private func startDue() -> Bool {
    guard sockets.actIfDue() else { return false }
    collect()
    return true
  }

  /// Answers the transfers that have ended.
  private func collect() {
    var left: CInt = 0
    while let message = library.functions.pointee.curl_multi_info_read(multi, &left) {
      var code = CURLE_OK
      // The message is gone once its handle is removed: it is read first.
      guard let easy = curl_message_end(message, &code), let transfer = live[easy] else { continue }
      finish(transfer, transfer.answer(code))
    }
  }

  /// How long to wait when nothing happens; libcurl wakes earlier for its own time limits.
  private var patience: CInt {
    let now = SuspendingClock.now
    var next = settings.quiet
    if streaming.values.contains(where: { $0.isWaiting || $0.isHeldBack }) {
      return Self.sourceInterval
    }
    if let firstDeadline, !live.isEmpty { next = min(next, now.duration(to: firstDeadline)) }
    let (seconds, attoseconds) = max(.zero, min(next, settings.quiet)).components
    return CInt(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
  }

  /// How long a source has until it is asked again for its next bytes, in milliseconds.
  private static let sourceInterval: CInt = 20

  private func finish(_ transfer: Transfer, _ answer: Ask.Answer) {
    _ = library.functions.pointee.curl_multi_remove_handle(multi, transfer.easy)
    live[transfer.easy] = nil
    if !streaming.isEmpty { streaming[transfer.easy] = nil }
    if case .success = answer { transfer.giveHandleOn() }
    transfer.ask.answer(answer)
  }

  /// Gives up all requests.
  private func end(
    _ failure: (Origin, TransportFailure.Delivery) -> TransportFailure
  ) {
    for transfer in live.values {
      finish(transfer, .failure(failure(transfer.ask.request.url.origin, transfer.delivery)))
    }
    queue.leave { failure($0.request.url.origin, .notSent) }
  }

  /// Starts a thread that serves a queue.
  ///
  /// - Throws: `limit.exceeded` when the machine has no thread left.
  static func start(_ queue: AskQueue, _ settings: CurlSettings) throws(GatebookError) {
    try PosixThread.detach {
      // A write to a closed connection (SIGPIPE) stays a status of libcurl.
      SignalAction.leaveToOthers()
      serve(queue, settings)
    }
  }
}
