package import Gatebook
internal import GatebookSystem

/// What a proxy does, and for whom.
package struct ProxySettings: Sendable {
  package var rules: ProxyRules
  package var limits = ProxyLimits()
  package var rate: RateLimit?
  /// What a person can do after a refusal of the server, by its code.
  ///
  /// The codes are `session.refused` and `challenge.stepUp`. The program gets it in the field
  /// `Gatebook-Remedy`.
  package var remedies: [String: String] = [:]
  package var clock: any BookClock
  /// Says on the proxy's thread where a program's request leads; `nil` leaves that to the rules.
  package var route: Route?
  /// Sends a request of a program as the account.
  package var send: Send
  /// Hears of each request that is not forwarded; on the proxy's thread.
  package var refused: @Sendable (ProxyRefusal, AskingProgram?) -> Void = { _, _ in }
  /// Hears what is to be recorded of the proxy's use while it serves; on the proxy's thread.
  package var used: @Sendable (ProxyUse) -> Void = { _ in }

  package init(
    _ rules: ProxyRules, clock: any BookClock,
    send: @escaping @Sendable (HTTPRequest) async throws(GatebookError) -> HTTPReply
  ) {
    self.init(
      rules, clock: clock,
      sendingFor: { request, _ throws(GatebookError) in
        try await send(request)
      })
  }

  /// Makes settings whose requests are sent for the program that asked.
  package init(_ rules: ProxyRules, clock: any BookClock, sendingFor send: @escaping Send) {
    self.rules = rules
    self.clock = clock
    self.send = send
  }

  /// Makes what goes to the server of what a program sent, or says why nothing does.
  package typealias Route =
    @Sendable (RequestHead) throws(ProxyRefusal) -> HTTPRequest
  /// Sends a request for a program; `nil` where the system does not tell which.
  package typealias Send =
    @Sendable (HTTPRequest, AskingProgram?) async throws(GatebookError) -> HTTPReply
}

/// A proxy that serves: programs send plain requests to it, and it sends them on as an account.
package final class ProxyServer: Sendable {
  private let mail: ProxyMail
  private let over = Locked<(isOver: Bool, waiting: [CheckedContinuation<Void, Never>])>(
    (false, []))

  /// Starts to serve.
  ///
  /// - Parameters:
  ///   - place: Where programs connect; its socket is closed with the proxy.
  ///   - settings: What is forwarded.
  /// - Throws: `limit.exceeded` when the machine has no descriptor or thread left; the socket is
  ///   closed then too.
  package init(at place: ProxyPlace, _ settings: ProxySettings) throws(GatebookError) {
    guard let mail = ProxyMail(), let readiness = Readiness() else {
      place.close()
      throw GatebookError(
        .limitExceeded, "This machine has no free file descriptor for the proxy.",
        kept: "Nothing was sent.", remedy: "End other programs, then try again.")
    }
    self.mail = mail
    let over = over
    do throws(GatebookError) {
      try PosixThread.detach {
        SignalAction.leaveToOthers()
        ProxyLoop(place, settings, mail, readiness).run()
        let waiting = over.withLock { state in
          state.isOver = true
          return state.waiting
        }
        for continuation in waiting { continuation.resume() }
      }
    } catch {
      place.close()
      throw error
    }
  }

  deinit { mail.end() }

  /// What was done so far.
  package var counts: ProxyCounts { mail.counts }

  /// Takes no new request, and lets those under way get their answers; returns at once.
  package func end() { mail.end() }

  /// Waits until the proxy has ended: see ``end()``.
  package func ended() async {
    await withCheckedContinuation { continuation in
      let isOver = over.withLock { state in
        if !state.isOver { state.waiting.append(continuation) }
        return state.isOver
      }
      if isOver { continuation.resume() }
    }
  }
}
