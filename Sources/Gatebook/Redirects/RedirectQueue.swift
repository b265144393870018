/// Redirects in the order of their arrival, for all who wait for the next one.
actor RedirectQueue {
  private var arrived: [String] = []
  private var waiting: [FirstValue<Bool>] = []

  func give(_ redirect: String) async {
    arrived.append(redirect)
    let all = waiting
    waiting = []
    for waiter in all { await waiter.give(true) }
  }

  /// The next redirect; `nil` when the caller was cancelled, and then it is left to others.
  func next() async -> String? {
    while !Task.isCancelled {
      if !arrived.isEmpty { return arrived.removeFirst() }
      let arrival = FirstValue<Bool>()
      waiting.append(arrival)
      let isThere = await withTaskCancellationHandler {
        await arrival.value
      } onCancel: {
        Task { await arrival.give(false) }
      }
      waiting.removeAll { $0 === arrival }
      guard isThere else { return nil }
    }
    return nil
  }
}
