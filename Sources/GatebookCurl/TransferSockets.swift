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
  /// Which descriptors are watched, by their number.
  private var watched: [Bool] = []
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
    let index = Int(socket)
    if index >= watched.count {
      watched += repeatElement(false, count: index + 1 - watched.count)
    }
    let isWatched = watched[index]
    watched[index] = !events.isEmpty
    if events.isEmpty {
      // One that is gone would be reported again and again.
      if isWatched { readiness.remove(socket) }
    } else if isWatched {
      readiness.change(socket, events)
    } else {
      readiness.add(socket, events)
    }
  }

  /// Waits until something happens, and moves on the transfers that it is about.
  ///
  /// - Parameter milliseconds: How long to wait at most; libcurl's own time limits end it earlier.
  /// - Returns: Whether libcurl is still in order.
  func turn(atMost milliseconds: CInt) -> Bool {
    let isFine = readiness.wait(atMost: patience(atMost: milliseconds)) { socket, events in
      guard socket != bell else { return true }
      var state: CInt = 0
      // What is left of a connection that is gone is read, and its end with it.
      if !events.isDisjoint(with: [.readable, .gone]) { state |= CURL_CSELECT_IN }
      if events.contains(.writable) { state |= CURL_CSELECT_OUT }
      return act(socket, state)
    }
    return isFine && actIfDue()
  }

  /// Calls libcurl if it wanted to be called by now.
  ///
  /// - Returns: Whether libcurl is still in order.
  func actIfDue() -> Bool {
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
