/// A renewal, or a login with what was saved, that has no recorded end.
struct UnfinishedWork {
  /// How it began.
  let start: RecordedEvent
  /// Whether the process that began it holds its lock: it is at it, or stands still; `nil` where that cannot be
  /// seen.
  let isHeld: Bool?

  /// Whether it is a renewal.
  var isRenewal: Bool { start.isKind(.refreshStarted) }

  /// Who is at it, or stands still over it; `nil` for nobody.
  var holder: String? { isHeld == true ? start.author : nil }
}
