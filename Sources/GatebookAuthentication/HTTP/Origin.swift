internal import GatebookSystem

/// A server, for credentials: scheme, host and port (RFC 6454 section 4).
public struct Origin: Hashable, Sendable, CustomStringConvertible {
  /// `http` or `https`.
  public let scheme: String
  /// The host in lower case; an IPv6 address without its brackets.
  public let host: String
  /// The port.
  public let port: Int

  /// Makes an origin from its parts, already in lower case.
  public init(scheme: String, host: String, port: Int) {
    self.scheme = scheme
    self.host = host
    self.port = port
  }

  /// `scheme://host[:port]`, the port left out when it is the scheme's own.
  public var description: String {
    let name = host.contains(":") ? "[\(host)]" : host
    let isDefault = port == (scheme == "https" ? 443 : 80)
    return isDefault ? "\(scheme)://\(name)" : "\(scheme)://\(name):\(port)"
  }

  /// Whether requests stay on this machine: the host is of 127.0.0.0/8, `::1` or exactly
  /// `localhost`.
  ///
  /// No other name is resolved for this: a later connection may resolve it differently.
  public var isLoopback: Bool { host == "localhost" || IPAddress(host)?.isLoopback == true }

  /// Whether the host is an address, not a name.
  public var isIPAddress: Bool { IPAddress(host) != nil }

  /// Whether requests are encrypted.
  public var isSecure: Bool { scheme == "https" }
}
