internal import GatebookSystem

/// The descriptors of one listener to the kernel's network, and what its thread does with them.
///
/// They are closed with the last reference: neither the thread nor its stopper can use a descriptor
/// that belongs to somebody else by then.
final class NetlinkWatch: Sendable {
  /// Gets the kernel's notifications.
  private let news: Int32
  /// Wakes the thread to end it.
  private let bell: Pipe

  /// Begins to listen; `nil` where the kernel tells nothing or no descriptor is left.
  init?() {
    guard let news = NetlinkSocket.listening() else { return nil }
    guard let bell = Pipe() else {
      FileDescriptor.close(news)
      return nil
    }
    self.news = news
    self.bell = bell
  }

  deinit {
    for descriptor in [news, bell.input, bell.output] { FileDescriptor.close(descriptor) }
  }

  /// Ends the thread.
  func stop() {
    _ = FileDescriptor.write([1], to: bell.input)
  }

  /// Tells each change until it is stopped, or until the kernel says nothing more.
  func run(_ tell: (NetworkReach) -> Void) {
    var last: NetworkReach?
    repeat {
      // Only now, after it was listened: what changes while the kernel answers is news again.
      guard let reach = NetlinkSocket.reach() else { return }
      if reach != last { tell(reach) }
      last = reach
    } while hearsNews()
  }

  /// Waits for news and forgets them: what they say in part, the kernel's answer says in whole,
  /// also after more of them than it could keep (ENOBUFS).
  private func hearsNews() -> Bool {
    var isReady: [Bool]?
    repeat {
      isReady = FileDescriptor.awaitReadable([news, bell.output])
    } while isReady == nil && SystemError.last == .interrupted
    guard isReady?[1] == false else { return false }
    var buffer = [UInt8](repeating: 0, count: 8192)
    while true {
      let count = Sockets.receive(news, &buffer, waits: false)
      if count > 0 { continue }
      guard count < 0 else { return false }
      switch SystemError.last {
      case .interrupted, .noBufferSpace: continue
      default: return SystemError.last == .wouldBlock
      }
    }
  }
}
