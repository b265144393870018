internal import CCurl

/// The connections and TLS sessions of one route, kept by one share handle of libcurl.
///
/// Transfers hold their pool: its connections close when it is dropped and its last transfer has
/// ended.
final class ConnectionPool {
  let share: UnsafeMutableRawPointer
  private let library: CurlLibrary

  init(_ library: CurlLibrary) throws(CurlStatus) {
    guard let share = library.functions.pointee.curl_share_init() else {
      throw library.status(CURLE_OUT_OF_MEMORY)
    }
    self.share = share
    self.library = library
    // Without a lock function: only one thread ever uses the handle.
    for data in [CURL_LOCK_DATA_CONNECT, CURL_LOCK_DATA_SSL_SESSION] {
      guard curl_share_data(library.functions, share, data) == CURLSHE_OK else {
        throw library.status(CURLE_FAILED_INIT)
      }
    }
  }

  deinit {
    _ = library.functions.pointee.curl_share_cleanup(share)
  }
}
