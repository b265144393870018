/// A renewal, or a login with what was saved, that has no recorded end.
struct UnfinishedWork {
  /// How it began.
  let start: RecordedEvent
  /// Whether the process that began it holds its lock: it is working, or is stopped; `nil` if that
  /// cannot be seen.
  let isHeld: Bool?

  /// Whether it is a renewal.
  var isRenewal: Bool { start.isKind(.refreshStarted) }

  /// The process that works on it, or is stopped while doing so; `nil` for none.
  var holder: String? { isHeld == true ? start.author : nil }
}
