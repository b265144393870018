/// Reports when the machine's network comes and goes.
///
/// An open book uses it to synchronize with the servers: see
/// ``SessionBook/open(at:key:program:transport:suffixes:clock:random:wait:renewalPolicy:network:)``.
/// On Linux the default is ``NetlinkMonitor``. An app that gets such reports from its system can
/// pass its own monitor:
///
/// ```swift
/// final class PathMonitor: NetworkMonitor {
///   let feed = AsyncStream.makeStream(of: NetworkReach.self)
///   func reaches() -> AsyncStream<NetworkReach> { feed.stream }
/// }
///
/// monitor.feed.continuation.yield(.nowhere)  // and .everywhere when it is back
/// ```
///
/// Its reports are only hints: no session ends and no request is delayed because of them.
public protocol NetworkMonitor: Sendable {
  /// How far the network reaches: the present first, then each change.
  ///
  /// - Returns: A stream that ends when no more reports can come, or when the consumer stops.
  func reaches() -> AsyncStream<NetworkReach>
}
