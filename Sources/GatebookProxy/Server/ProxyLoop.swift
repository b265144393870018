internal import Gatebook
internal import GatebookSystem

/// The thread of a proxy: accepts connections, and moves each on as far as it goes without waiting.
final class ProxyLoop {
  private let place: ProxyPlace
  private let mail: ProxyMail
  private let readiness: Readiness
  private let context: ProxyContext
  private var connections: [Int32: ProxyConnection] = [:]
  private var isListening = true
  /// Whether no connection is accepted before limits are looked at again.
  private var lacksDescriptors = false
  private var lastCheck = Duration.zero
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

  init(
    _ place: ProxyPlace, _ settings: ProxySettings, _ mail: ProxyMail, _ readiness: Readiness
  ) {
    self.place = place
    self.mail = mail
    self.readiness = readiness
    var settings = settings
    settings.rules.port = place.port
    context = ProxyContext(settings, mail)
    readiness.add(mail.descriptor, [.readable])
    readiness.add(place.socket, [.readable])
  }

  /// Serves until it is to end and the last request has its answer.
  func run() {
    while !(context.isEnding && connections.isEmpty) {
      let ready = readiness.wait(atMost: mail.fallsAsleep() ? patience : 0)
      let now = context.clock.now().boot
      var touched: Set<Int32> = []
      for (descriptor, events) in ready {
        if descriptor == place.socket {
          accept(at: now)
        } else if descriptor != mail.descriptor, let connection = connections[descriptor] {
          if events.contains(.readable) { connection.read(&buffer, at: now) }
          if events.contains(.sendingEnded) { connection.sendingHasEnded(at: now) }
          // Both directions are over: nobody is left to answer.
          if !events.isDisjoint(with: .gone) { connection.end() }
          touched.insert(descriptor)
        }
      }
      let letters = mail.take()
      for job in letters.jobs { job.runSynchronously(on: mail.asUnownedTaskExecutor()) }
      touched.formUnion(letters.changed)
      if letters.isEnding, !context.isEnding { beginEnd(&touched, at: now) }
      let wasFull = context.underWay >= context.limits.requests
      move(touched, at: now)
      if wasFull, context.underWay < context.limits.requests { moveWaiting(at: now) }
      if now - lastCheck >= .milliseconds(Int(Self.interval)) { check(at: now) }
      listenAgain()
    }
    context.endUse()
    mail.leave()
  }

  /// How long to wait when nothing happens, in milliseconds; below 0 without an end.
  private var patience: Int32 {
    connections.isEmpty && isListening ? context.wait : Self.interval
  }

  /// How often limits of time are looked at, in milliseconds.
  private static let interval: Int32 = 500

  private func accept(at now: Duration) {
    while connections.count < context.limits.connections {
      guard let socket = Sockets.accept(place.socket) else {
        // Out of descriptors the connection stays in the queue: no use in asking again at once.
        if SystemError.last.isOutOfDescriptors {
          lacksDescriptors = true
          pauseListening()
        }
        return
      }
      let peer = place.isLocal ? LocalSocket.peer(of: socket) : nil
      let program = peer.map { AskingProgram($0) }
      guard !place.isLocal || peer?.isOwn == true else {
        context.refused(.peer, program)
        FileDescriptor.close(socket)
        continue
      }
      if !place.isLocal { Sockets.sendAtOnce(socket) }
      connections[socket] = ProxyConnection(socket, program, context, at: now)
      readiness.add(socket, [.readable])
    }
    if !makeRoom(at: now) { pauseListening() }
  }

  /// Ends the connection that nobody has used for the longest time, at least a second.
  ///
  /// - Returns: Whether there was one.
  private func makeRoom(at now: Duration) -> Bool {
    while let oldest = connections.values.filter({
      $0.isIdle && now - $0.lastMove >= Self.leastIdle
    }).min(by: { $0.lastMove < $1.lastMove }) {
      // A request that has just come is served.
      oldest.read(&buffer, at: now)
      if oldest.isIdle { oldest.end() }
      move([oldest.socket], at: now)
      if oldest.isOver { return true }
    }
    return false
  }

  /// How long a connection is kept at least that has no request yet.
  private static let leastIdle = Duration.seconds(1)

  private func pauseListening() {
    guard isListening else { return }
    readiness.change(place.socket, [])
    isListening = false
  }

  private func listenAgain() {
    guard !isListening, !context.isEnding, !lacksDescriptors,
      connections.count < context.limits.connections
    else { return }
    readiness.change(place.socket, [.readable])
    isListening = true
  }

  private func move(_ sockets: Set<Int32>, at now: Duration) {
    for socket in sockets {
      guard let connection = connections[socket] else { continue }
      connection.write(at: now)
      connection.advance(at: now)
      guard !connection.isOver else {
        forget(connection)
        continue
      }
      let wanted = connection.wanted
      if wanted != connection.awaited {
        // While nobody read from it, the program could not be late.
        if wanted.contains(.readable), !connection.awaited.contains(.readable) {
          connection.lastMove = now
        }
        readiness.change(socket, wanted)
        connection.awaited = wanted
      }
    }
  }

  private func moveWaiting(at now: Duration) {
    let waiting = connections.values.filter { if case .waiting = $0.phase { true } else { false } }
    move(Set(waiting.map(\.socket)), at: now)
  }

  private func forget(_ connection: ProxyConnection) {
    if let forwarding = connection.forwarding { context.ended(forwarding) }
    connections[connection.socket] = nil
    FileDescriptor.close(connection.socket)
  }

  private func check(at now: Duration) {
    lastCheck = now
    lacksDescriptors = false
    context.tellUse(at: now)
    for connection in connections.values { connection.check(at: now) }
    move(Set(connections.keys), at: now)
    if !isListening, connections.count >= context.limits.connections { _ = makeRoom(at: now) }
  }

  /// Requests under way get their answers; nothing else is taken.
  private func beginEnd(_ touched: inout Set<Int32>, at now: Duration) {
    context.isEnding = true
    isListening = false
    // Who connects from now on learns at once that nobody serves.
    place.close()
    for connection in connections.values where connection.isBeforeServer {
      // What has come as a whole is under way.
      connection.read(&buffer, at: now)
      connection.advance(at: now)
      connection.endUnsent()
      touched.insert(connection.socket)
    }
  }
}
