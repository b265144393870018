/// Waits for whichever value comes first; all later ones are ignored.
actor FirstValue<Value: Sendable> {
  private var first: Value?
  private var waiting: [CheckedContinuation<Value, Never>] = []

  /// Gives a value; only the first one counts.
  func give(_ value: Value) {
    guard first == nil else { return }
    first = value
    for waiter in waiting { waiter.resume(returning: value) }
    waiting = []
  }

  /// The first value, as soon as there is one.
  var value: Value {
    get async {
      if let first { return first }
      return await withCheckedContinuation { waiting.append($0) }
    }
  }

  /// The first value; a caller that is cancelled gives one itself.
  nonisolated func value(cancelled substitute: Value) async -> Value {
    await withTaskCancellationHandler {
      await value
    } onCancel: {
      Task { await give(substitute) }
    }
  }
}
