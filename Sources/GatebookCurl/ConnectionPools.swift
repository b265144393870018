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
    if let last = pools.last, last.route == route { return last.pool }
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
    pool.keepsHandles = true
    // The one that has just become too old for it.
    if pools.count > Self.withHandles {
      pools[pools.count - 1 - Self.withHandles].pool.keepsHandles = false
    }
    return pool
  }

  /// How many pools keep handles.
  private static let withHandles = 8

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
  /// Handles that have served a request of the route and can serve the next.
  private var spares: [EasyHandle] = []
  /// How many are kept: each is some kilobytes.
  private static let mostSpares = 16
  /// Whether it keeps any; not the pool of a route that is rarely used.
  var keepsHandles = true {
    didSet { if !keepsHandles { spares = [] } }
  }

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
    // libcurl frees a share only when no handle uses it any more.
    spares = []
    _ = library.functions.pointee.curl_share_cleanup(share)
  }

  /// A handle that is configured for a request, if there is one.
  func takeSpare(for fit: EasyHandle.Fit) -> EasyHandle? {
    spares.lastIndex { $0.fit == fit }.map { spares.remove(at: $0) }
  }

  /// Takes a handle that has served.
  func keep(_ handle: EasyHandle) {
    guard keepsHandles else { return }
    // The one that was used longest ago is for a server that is asked no more.
    if spares.count >= Self.mostSpares { spares.removeFirst() }
    spares.append(handle)
  }
}
