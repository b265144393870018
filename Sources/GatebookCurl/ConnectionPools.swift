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
