extension Task where Failure == Never {
  /// Waits for the task, and cancels it when it has run for so long.
  ///
  /// It continues when its caller is cancelled: a cancelled login must also revoke its grant. The
  /// time is real: it limits how long a server may take, and a clock that lets it pass at once
  /// would cancel all that is asked.
  ///
  /// - Parameter limit: The time; what takes no notice of being cancelled is waited for all the
  ///   same.
  /// - Returns: What the task brought.
  func value(cancelledAfter limit: Duration) async -> Success {
    let watch = Task<Void, Never> {
      guard (try? await Task<Never, Never>.sleep(for: limit)) != nil else { return }
      cancel()
    }
    defer { watch.cancel() }
    return await value
  }
}
