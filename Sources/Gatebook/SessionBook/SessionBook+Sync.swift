extension SessionBook {
  /// Synchronizes with the servers when the network is back: delivers waiting messages, and
  /// verifies sessions that were resumed offline or whose renewal was lost.
  ///
  /// Waiting messages are tried now. Only if a server asked to wait (`Retry-After`), they wait on,
  /// for a day at most: see ``SyncReport/demandedUntil``.
  ///
  /// - Parameter account: Only this account; `nil` for all.
  /// - Returns: The result; a failure of one account does not affect the others.
  /// - Throws: `configuration.invalid` for an unknown account, or a storage failure.
  public func sync(_ account: AccountID? = nil) async throws(GatebookError) -> SyncReport {
    try await synchronizer.sync(account, isAsked: true)
  }
}

extension SessionBook {
  /// Does what ``sync(_:)`` does each time the network is back, as long as the book is open.
  ///
  /// What was there when the book was opened is no news: the next use of each session asks its
  /// server.
  func catchUp(with network: any NetworkMonitor) {
    guard ledger.renewalPolicy == .inBackground, networkWatch == nil else { return }
    let reaches = network.reaches()
    networkWatch = Task { [weak self] in
      var last: NetworkReach?
      for await reach in reaches {
        await self?.networkChanged(to: reach, from: last)
        last = reach
      }
    }
  }

  /// Ends what the network began; a request under way is cancelled.
  func stopCatchingUp() async {
    networkWatch?.cancel()
    catchingUp?.cancel()
    await networkWatch?.value
    await catchingUp?.value
  }

  func sync(
    _ account: AccountID?, isAsked: Bool
  ) async throws(GatebookError) -> SyncReport {
    try await synchronizer.sync(account, isAsked: isAsked)
  }

  private func networkChanged(to reach: NetworkReach, from last: NetworkReach?) {
    guard let last, reach != last else { return }
    // Whatever was begun on the former network has lost its ground.
    let former = catchingUp
    former?.cancel()
    guard reach > last else { return }
    let wait = settling
    catchingUp = Task { [effects, weak self] in
      await former?.value
      await effects.clock.sleep(for: wait)
      guard !Task.isCancelled else { return }
      _ = try? await self?.sync(nil, isAsked: false)
    }
  }

  /// How long the network is left to settle: a name server comes after the route, a weak signal
  /// comes more than once; and not all clients of a network that is back ask their servers at once.
  private var settling: Duration {
    .milliseconds(500) + .milliseconds(1500) * Int(ledger.random.bytes(1)[0]) / 255
  }
}
