internal import GatebookThreads
internal import Glibc

/// Hears from the Linux kernel how far its routes reach.
///
/// A thread of its own waits for the kernel's word about links, addresses and routes, and asks it for
/// its routes then; in between it sleeps. No privilege is needed. Where the kernel or a sandbox answers
/// no such questions, the stream ends at once.
///
/// Routes that leave the machine count: neither those of the loopback device, nor those on a link
/// without a carrier, nor those to link-local addresses, which every link has.
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
