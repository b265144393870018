/// What servers are called in tables and pictures.
enum ServerName {
  /// A server without what nearly all have; one without TLS is told as such.
  static func text(_ server: String) -> String {
    server.hasPrefix("https://") ? String(server.dropFirst(8)) : server
  }
}
