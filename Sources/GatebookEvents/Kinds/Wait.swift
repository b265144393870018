/// The wait before the next attempt, as an event says it.
package struct Wait: Hashable, Sendable {
  /// The time until the next attempt; `nil`: there is none.
  package var retryAfter: Duration?
  /// The part of it that the server demanded.
  package var demanded: Duration?

  package init() {}
}
