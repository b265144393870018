internal import Glibc

/// A redirect URI on this machine, as RFC 8252 section 7.3 allows it.
struct LoopbackAddress {
  /// As in a URL: `127.0.0.1` or `[::1]`.
  let host: String
  /// 0 for any free one.
  let port: UInt16
  let path: String

  /// Reads a URI; `nil` for another scheme or host, or with a query.
  init?(_ uri: String) {
    let isAnyPort = uri.utf8.starts(with: "http://127.0.0.1:0/".utf8)
    // Port 0 is no port of a URL.
    let text = isAnyPort ? "http://127.0.0.1/" + String(uri.dropFirst(19)) : uri
    guard let url = HTTPURL(text), !url.origin.isSecure, url.query == nil,
      ["127.0.0.1", "::1"].contains(url.origin.host)
    else { return nil }
    host = url.origin.host.contains(":") ? "[\(url.origin.host)]" : url.origin.host
    port = isAnyPort ? 0 : UInt16(url.origin.port)
    path = url.path
  }

  /// Begins to listen.
  ///
  /// - Returns: The socket, which does not block, and its port.
  func listen() throws(GatebookError) -> (socket: Int32, port: UInt16) {
    let isNew = host.hasPrefix("[")
    let socket = Glibc.socket(
      isNew ? AF_INET6 : AF_INET,
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard socket >= 0 else { throw Self.refusal(port, errno) }
    var yes: Int32 = 1
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
    guard isNew ? bindNew(socket) : bindOld(socket), Glibc.listen(socket, 16) == 0,
      let bound = Self.port(of: socket)
    else {
      let code = errno
      close(socket)
      throw Self.refusal(port, code)
    }
    return (socket, bound)
  }

  private func bindOld(_ socket: Int32) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  private func bindNew(_ socket: Int32) -> Bool {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    address.sin6_addr = in6addr_loopback
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
      }
    }
  }

  private static func port(of socket: Int32) -> UInt16? {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
      let isKnown = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(socket, $0, &size) == 0
      }
      // The port stands at the same place in both families.
      return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        isKnown ? UInt16(bigEndian: $0.pointee.sin_port) : nil
      }
    }
  }

  private static func refusal(_ port: UInt16, _ code: Int32) -> GatebookError {
    GatebookError(
      .configurationInvalid, "Gatebook cannot listen on loopback port \(port).",
      kept: "Nothing was sent.",
      remedy: "Choose another port, or stop the program that uses this one.",
      cause: String(cString: strerror(code)))
  }
}
