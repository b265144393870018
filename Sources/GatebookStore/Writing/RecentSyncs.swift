internal import GatebookEvents

/// How long the last commits and their syncs to disk took, and whether their callers came alone.
struct RecentSyncs {
  /// So many in a row make the next one likely to be quick.
  private static let enough = 3
  /// No thread of Swift's pool may be held up for longer.
  private let longest: Duration
  private var quick = 0
  private var last = Duration.zero

  init(longest: Duration = .milliseconds(1)) {
    self.longest = longest
  }

  /// Whether a caller may wait for the next one without a thread of its own.
  ///
  /// Where many append at once that does not hold: their group, which shares one sync, would lose
  /// each caller who comes first.
  var areQuick: Bool { quick >= Self.enough }

  /// How long callers are waited for who may come to share the next one: a part of what it takes
  /// to sync for them alone.
  var patience: Duration { min(last, longest) / 4 }

  /// Adds a sync.
  ///
  /// - Parameters:
  ///   - duration: How long it took.
  ///   - whole: How long the commit took with it.
  ///   - members: How many callers shared it.
  mutating func add(_ duration: Duration, of whole: Duration, ofGroup members: Int) {
    last = duration
    quick = members == 1 && whole <= longest ? quick + 1 : 0
  }
}
