/// Why what waits for a server is looked at: says how much of our own back-off counts.
package enum DeliveryOccasion: Sendable {
  /// Time has passed: all of it counts.
  case time
  /// The network is back: only that of a server that was reached and could not do it.
  case network
  /// Somebody asks: none of it.
  case asked
}
