import Synchronization

/// Adds up numbers from many threads.
final class Tally: Sendable {
  private let total = Atomic(0)

  var sum: Int { total.load(ordering: .acquiring) }

  func add(_ number: Int) {
    total.add(number, ordering: .acquiringAndReleasing)
  }
}
