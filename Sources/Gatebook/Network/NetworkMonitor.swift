/// Says when the machine's network comes and goes.
///
/// A book that stays open uses it to catch up with the servers: see
/// ``SessionBook/open(at:key:program:transport:suffixes:clock:random:wait:renewalPolicy:network:)``. On
/// Linux that is ``NetlinkMonitor`` unless something else is given. An app that is told by its system
/// feeds its own:
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
/// What it says is a hint and no more: no session ends because of it, and no request is held back.
public protocol NetworkMonitor: Sendable {
  /// How far the network reaches: the present first, then each change.
  ///
  /// - Returns: A stream that ends when nothing more can be known. Whoever stops listening cancels it.
  func reaches() -> AsyncStream<NetworkReach>
}
