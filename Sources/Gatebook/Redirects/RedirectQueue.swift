/// Redirects in the order of their arrival, for whoever waits for the next one.
actor RedirectQueue {
  private var arrived: [String] = []
  private var waiting: FirstValue<Bool>?

  func give(_ redirect: String) async {
    arrived.append(redirect)
    await waiting?.give(true)
  }

  /// The next redirect; `nil` when the caller was cancelled.
  func next() async -> String? {
    while arrived.isEmpty {
      let arrival = FirstValue<Bool>()
      waiting = arrival
      let isThere = await withTaskCancellationHandler {
        await arrival.value
      } onCancel: {
        Task { await arrival.give(false) }
      }
      guard isThere else { return nil }
    }
    return arrived.removeFirst()
  }
}
