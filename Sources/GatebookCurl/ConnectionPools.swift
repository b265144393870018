internal import CCurl
internal import GatebookAuthentication

/// The pools of the routes used last; beyond the limit the least recently used one is dropped.
struct ConnectionPools {
  private let limit: Int
  /// In order of use, the last one at the end.
  private var pools: [(route: Route, pool: ConnectionPool)] = []

  init(limit: Int) {
    self.limit = limit
  }

  /// The pool of a route, made when there is none.
  mutating func pool(
    for route: Route, _ library: CurlLibrary
  ) throws(CurlStatus) -> ConnectionPool {
    let pool: ConnectionPool
    if let index = pools.firstIndex(where: { $0.route == route }) {
      pool = pools.remove(at: index).pool
    } else {
      pool = try ConnectionPool(library)
    }
    pools.append((route, pool))
    if pools.count > limit {
      pools.removeFirst()
    }
    return pool
  }

  /// Drops all pools.
  mutating func removeAll() {
    pools = []
  }
}

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
