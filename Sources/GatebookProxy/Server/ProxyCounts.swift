package import Gatebook

/// What a proxy has done so far.
package struct ProxyCounts: Sendable, Equatable {
  /// How many requests were sent to the server.
  package var forwarded = 0
  /// How many requests were not, by the reason.
  package var refused: [ProxyRefusal: Int] = [:]
  /// What the proxy has not handed out to be recorded, once it has ended.
  package var unrecorded = ProxyUse()

  package init() {}
}
