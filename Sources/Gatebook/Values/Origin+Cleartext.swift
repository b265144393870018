extension Origin {
  /// Whether what goes there can be read on the way.
  var isCleartext: Bool { !isSecure && !isLoopback }
}

extension OriginAllowed {
  /// An origin.
  init(_ origin: Origin) {
    self.init(host: origin.host, port: Int64(origin.port), scheme: origin.scheme)
  }
}
