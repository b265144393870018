internal import GatebookSystem

/// Watches how far the routes of the Linux kernel reach.
///
/// A thread waits for the kernel to report changes of links, addresses and routes, and then reads
/// the routes. It needs no privileges. If the kernel or a sandbox does not allow this, the stream
/// ends at once.
///
/// Only routes that leave the machine count: not those of the loopback device, of a link without a
/// carrier, or to link-local addresses, which every link has.
///
/// Source: netlink(7), rtnetlink(7).
public struct NetlinkMonitor: NetworkMonitor {
  /// Makes a monitor of the network namespace that ``reaches()`` is called in.
  public init() {}

  /// How far the network reaches: the present first, then each change.
  public func reaches() -> AsyncStream<NetworkReach> {
    AsyncStream { continuation in
      guard let watch = NetlinkWatch() else { return continuation.finish() }
      continuation.onTermination = { _ in watch.stop() }
      let thread = Result { () throws(GatebookError) in
        try PosixThread.detach {
          watch.run { continuation.yield($0) }
          continuation.finish()
        }
      }
      if case .failure = thread { continuation.finish() }
    }
  }
}
