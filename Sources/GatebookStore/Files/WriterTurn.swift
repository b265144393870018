/// How often a writer may take its lock again before those who wait for it.
///
/// To hand the lock to another process costs more than a commit: two threads must wake up, and what
/// this process has read of the book is out of date. So a writer with another commit at once goes
/// first a few times. How often depends on its own last waits: with many writers, not at all.
///
/// All times are of the monotonic clock, in microseconds.
struct WriterTurn {
  /// The most events of others that one wait should last for.
  private static let fairWait: Int64 = 33
  /// With more, the waits of four writers would come too close to that limit.
  private static let most: Int64 = 8
  /// A commit within this time after the last one comes at once.
  private static let patience: Int64 = 1_000
  /// After this time the last waits say nothing: other writers may be at work.
  private static let memory: Int64 = 1_000_000
  private var allowed: Int64 = 0
  private var left: Int64 = 0
  private var hasWaited = false
  /// When the writer last released the lock.
  private(set) var released: Int64 = 0

  /// Begins a turn with the lock.
  mutating func begin(hasWaited: Bool, at now: Int64) {
    if now - released > Self.memory { allowed = 0 }
    self.hasWaited = hasWaited
    left = allowed
  }

  /// Whether the writer may take the lock before those who wait.
  func isOpen(at now: Int64) -> Bool { left > 0 && now - released <= Self.patience }

  /// Notes that the writer took the lock before them.
  mutating func takeAgain() {
    hasWaited = false
    left -= 1
  }

  /// Notes that the writer has released the lock.
  mutating func release(at now: Int64) { released = now }

  /// Hears what others have recorded since the writer's last commit.
  mutating func hear(ofOthers events: Int64) {
    guard hasWaited else { return }
    hasWaited = false
    if events > Self.fairWait {
      allowed /= 2
    } else if events + events / (allowed + 1) <= Self.fairWait {
      // If each of the others continues once more too, the next wait is still short enough.
      allowed = min(allowed + 1, Self.most)
    }
  }
}
