internal import CCurl
internal import GatebookSystem

/// What the transfers of one loop wait for: their sockets, the next time limit of libcurl, and the
/// loop's bell.
///
/// libcurl says which sockets matter whenever that changes (`CURLMOPT_SOCKETFUNCTION`). A turn then
/// costs as much as what happens in it, however many transfers wait.
final class TransferSockets {
  private let library: CurlLibrary
  private let multi: UnsafeMutableRawPointer
  private let readiness: Readiness
  private let bell: Int32
  private var watched: Set<Int32> = []
  /// When libcurl wants to be called although nothing has happened.
  private var alarm: SuspendingClock.Instant?

  /// Begins to hear what libcurl waits for; `nil` when the process has no descriptors left.
  ///
  /// It must outlive the multi handle.
  init?(_ library: CurlLibrary, _ multi: UnsafeMutableRawPointer, _ bell: Bell) {
    guard let readiness = Readiness() else { return nil }
    self.library = library
    self.multi = multi
    self.readiness = readiness
    self.bell = bell.descriptor
    readiness.add(bell.descriptor, [.readable])
    let sockets = Unmanaged.passUnretained(self).toOpaque()
    _ = curl_multi_hear_sockets(library.functions, multi, sockets) {
      _, socket, wanted, sockets, _ in
      TransferSockets.at(sockets)?.watch(socket, wanted)
      return 0
    }
    _ = curl_multi_hear_timer(library.functions, multi, sockets) { _, milliseconds, sockets in
      TransferSockets.at(sockets)?.alarm =
        milliseconds < 0 ? nil : .now + .milliseconds(milliseconds)
      return 0
    }
  }

  private static func at(_ pointer: UnsafeMutableRawPointer?) -> TransferSockets? {
    pointer.map { Unmanaged<TransferSockets>.fromOpaque($0).takeUnretainedValue() }
  }

  private func watch(_ socket: Int32, _ wanted: CInt) {
    var events: Readiness.Events = []
    if wanted == CURL_POLL_IN || wanted == CURL_POLL_INOUT { events.insert(.readable) }
    if wanted == CURL_POLL_OUT || wanted == CURL_POLL_INOUT { events.insert(.writable) }
    if events.isEmpty {
      // One that is gone would be reported again and again.
      if watched.remove(socket) != nil { readiness.remove(socket) }
    } else if watched.insert(socket).inserted {
      readiness.add(socket, events)
    } else {
      readiness.change(socket, events)
    }
  }

  /// Waits until something happens, and moves on the transfers that it is about.
  ///
  /// - Parameter milliseconds: How long to wait at most; libcurl's own time limits end it earlier.
  /// - Returns: Whether libcurl is still in order.
  func turn(atMost milliseconds: CInt) -> Bool {
    let ready = readiness.wait(atMost: patience(atMost: milliseconds))
    for (socket, events) in ready where socket != bell {
      var state: CInt = 0
      // What is left of a connection that is gone is read, and its end with it.
      if !events.isDisjoint(with: [.readable, .gone]) { state |= CURL_CSELECT_IN }
      if events.contains(.writable) { state |= CURL_CSELECT_OUT }
      guard act(socket, state) else { return false }
    }
    guard let due = alarm, due <= .now else { return true }
    alarm = nil
    // `CURL_SOCKET_TIMEOUT`
    return act(-1, 0)
  }

  private func act(_ socket: Int32, _ state: CInt) -> Bool {
    var running: CInt = 0
    let code = library.functions.pointee.curl_multi_socket_action(multi, socket, state, &running)
    return code == CURLM_OK
  }

  private func patience(atMost milliseconds: CInt) -> CInt {
    guard let alarm else { return milliseconds }
    let (seconds, attoseconds) = max(.zero, SuspendingClock.now.duration(to: alarm)).components
    let rest = attoseconds / 1_000_000_000_000_000
    // Not earlier: libcurl would have nothing to do yet.
    let isWhole = attoseconds % 1_000_000_000_000_000 == 0
    return min(milliseconds, CInt(clamping: seconds * 1000 + rest + (isWhole ? 0 : 1)))
  }
}
