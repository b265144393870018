internal import CCurl

/// Wakes a thread that waits in `curl_multi_poll`.
// Unchecked: `curl_multi_wakeup` is the one function that libcurl allows from other threads.
struct Bell: @unchecked Sendable {
  private let wakeup: @convention(c) (UnsafeMutableRawPointer?) -> CURLMcode
  private let multi: UnsafeMutableRawPointer

  init(_ library: CurlLibrary, _ multi: UnsafeMutableRawPointer) {
    wakeup = library.functions.pointee.curl_multi_wakeup
    self.multi = multi
  }

  /// Wakes the thread; rings that nobody has heard yet count as one.
  func ring() {
    _ = wakeup(multi)
  }
}
