extension AuthorizationManager {
  /// Puts a flow after all others.
  func enqueue(_ kind: AuthorizationFlow.Kind) throws(GatebookError) -> FlowID {
    guard let id = FlowID(bytes: book.effects.random.bytes(16)) else { throw .noRandomness }
    flows[id] = AuthorizationFlow(id, kind)
    queue.append(id)
    return id
  }

  /// Begins the next flow if none is running.
  func pump() {
    guard running == nil, !queue.isEmpty else { return }
    let id = queue.removeFirst()
    running = id
    // In a task of its own: a caller that is cancelled must not end what others wait for.
    Task { await self.run(id) }
  }

  private func run(_ id: FlowID) async {
    let result = await Result { () async throws(GatebookError) in try await drive(id) }
    end(id, with: result.mapError { $0.inFlow(id) })
    running = nil
    pump()
  }

  /// Ends a flow for all its callers.
  func end(_ id: FlowID, with result: Result<Authorization, GatebookError>) {
    guard let flow = flows.removeValue(forKey: id) else { return }
    queue.removeAll { $0 == id }
    for (_, promise) in flow.promises.sorted(by: { $0.key < $1.key }) {
      guard let check = promise.check, case .success = result else {
        promise.fulfil(result)
        continue
      }
      promise.fulfil(.success(Authorization(flow: id, account: account, user: users[check])))
    }
  }

  /// Ends a cancelled flow, and with it the flows that wait after it now; a logout is not ended: it
  /// still has to happen.
  func cancel(_ id: FlowID, _ error: GatebookError) {
    interrupt(id, error)
    for waiting in queue where flows[waiting]?.isLogout == false {
      end(waiting, with: .failure(error.inFlow(id)))
    }
  }

  /// Refuses a login while another call holds the account's checks.
  func requireIdle() throws(GatebookError) {
    // A flow that was cancelled, or ignored for too long, is on its way out.
    let isBusy = flows.values.contains { flow in
      flow.interruption == nil && (flow.isLogin || flow.isLogout || !flow.open.isEmpty)
    }
    guard !isBusy else { throw Self.inProgress }
  }

  /// A challenge that was ignored for too long gives way to the next call.
  func giveWay() {
    guard let id = running, let since = flows[id]?.challenged,
      book.effects.clock.now().boot - since >= app.challengeTimeout
    else { return }
    interrupt(id, .challengeWasIgnored)
  }

  /// Ends a flow that waits for answers, or will wait soon; the first reason counts.
  func interrupt(_ id: FlowID, _ error: GatebookError) {
    guard let flow = flows[id], flow.interruption == nil else { return }
    flows[id]?.interruption = error
    if let callback = flow.callback { Task { await callback.give(.interrupted) } }
    flows[id]?.wake?.resume(returning: error)
    flows[id]?.wake = nil
  }

  static let inProgress = GatebookError(
    .loginInProgress, "Another login, logout or challenge of this account is running.",
    kept: "Nothing was sent; an open challenge can still be answered.",
    remedy: "Answer or cancel the challenge, or wait until the other call has finished.")
}

extension GatebookError {
  /// The failure with the name of its flow.
  func inFlow(_ flow: FlowID) -> GatebookError {
    var error = self
    error.cause = [cause, "flow \(flow)"].compactMap { $0 }.joined(separator: "; ")
    return error
  }
}
