public import Gatebook

/// A network monitor that says what a test makes it say.
public final class ScriptedNetwork: NetworkMonitor {
  private let feed = AsyncStream.makeStream(of: NetworkReach.self)

  /// Makes a monitor.
  ///
  /// - Parameter reach: How far the network reaches at first.
  public init(_ reach: NetworkReach = .everywhere) {
    feed.continuation.yield(reach)
  }

  /// Lets the network reach so far from now on.
  public func change(to reach: NetworkReach) {
    feed.continuation.yield(reach)
  }

  /// What was said and is to be said; for one listener.
  public func reaches() -> AsyncStream<NetworkReach> { feed.stream }
}
